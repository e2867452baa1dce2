#pragma once
// Code points of UTF-8 text, one at a time, over bytes that may be anything.

#include <unicode/utf8.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace flagman::validators {

/// The code point that begins at `at`, which must lie inside the text, or a negative number where
/// the bytes there are not UTF-8. Moves `at` behind it (behind at least one byte).
inline UChar32 next_point(std::string_view text, std::size_t& at) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  // Two bytes, as most letters here have; ICU's macro goes the way of three first.
  const std::uint32_t lead = bytes[at];
  if (lead >= 0xC2 && lead < 0xE0 && at + 1 < text.size() && U8_IS_TRAIL(bytes[at + 1])) {
    const auto point = ((lead & 0x1FU) << 6U) | (bytes[at + 1] & 0x3FU);
    at += 2;
    return static_cast<UChar32>(point);
  }
  UChar32 c = 0;
  U8_NEXT(bytes, at, text.size(), c);  // NOLINT(bugprone-inc-dec-in-conditions): ICU's macro
  return c;
}

/// The code point that ends right before `at`, which must not be 0, or a negative number. Moves
/// `at` to its first byte.
inline UChar32 previous_point(std::string_view text, std::size_t& at) {
  const std::size_t end = at;
  std::size_t begin = end - 1;
  while (begin > 0 && end - begin < U8_MAX_LENGTH && U8_IS_TRAIL(text[begin])) --begin;
  std::size_t next = begin;
  const UChar32 c = next_point(text.substr(0, end), next);
  if (c >= 0 && next == end) {
    at = begin;
    return c;
  }
  at = end - 1;
  return -1;
}

/// Puts a code point, or U+FFFD for a negative one, at the end of `out`.
inline void append_point(std::string& out, UChar32 c) {
  const auto point = c < 0 ? std::uint32_t{0xFFFD} : static_cast<std::uint32_t>(c);
  std::uint8_t bytes[U8_MAX_LENGTH];
  std::size_t length = 0;
  U8_APPEND_UNSAFE(bytes, length, point);
  out.append(reinterpret_cast<const char*>(bytes), length);
}

}  // namespace flagman::validators
