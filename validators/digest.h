#pragma once
// SHA-256 (FIPS 180-4) of bytes: a pure function of its input, like everything here.

#include <array>
#include <string>
#include <string_view>

namespace flagman::validators {

using Digest = std::array<unsigned char, 32>;

/// The digest of `bytes`. Throws std::runtime_error if the cryptographic library refuses.
[[nodiscard]] Digest sha256(std::string_view bytes);

/// 64 lower-case hexadecimal digits.
[[nodiscard]] std::string hex(const Digest& digest);

}  // namespace flagman::validators
