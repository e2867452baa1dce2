#pragma once
// Randomness from the operating system, for salts and names of process incarnations.

#include <cstddef>
#include <string>

namespace flagman::daemon {

/// Throws std::runtime_error where the system has none.
[[nodiscard]] std::string random_bytes(std::size_t count);

/// A version 4 UUID (RFC 9562) in its text form.
[[nodiscard]] std::string random_uuid();

}  // namespace flagman::daemon
