#pragma once
// Data that is no part of the repository: a folder that FLAGMAN_EXTRA_DATA names. Where the
// variable is unset the tests that need it say so and end; where it is set, what is missing is a
// failure.

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "validators/json.h"

namespace flagman::tests {

/// The values of a JSON Lines file of the extra data; nothing, and a warning, without extra data.
inline std::optional<std::vector<validators::Json>> extra_lines(const std::string& path) {
  const char* const folder = std::getenv("FLAGMAN_EXTRA_DATA");
  if (folder == nullptr || *folder == '\0') {
    WARN("skipped: FLAGMAN_EXTRA_DATA is not set, and this test reads " << path << " there");
    return std::nullopt;
  }
  std::ifstream file{std::string{folder} + "/" + path, std::ios::binary};
  INFO("reading " << path << " of FLAGMAN_EXTRA_DATA=" << folder);
  REQUIRE(file);
  std::vector<validators::Json> values;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) values.push_back(validators::Json::parse(line));
  }
  return values;
}

/// The bytes of a base64 text (RFC 4648, padded).
inline std::string from_base64(std::string_view text) {
  static constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int held = 0;
  for (const char c : text) {
    if (c == '=') break;
    const auto digit = digits.find(c);
    if (digit == std::string_view::npos) throw std::runtime_error{"no base64"};
    bits = bits << 6 | static_cast<unsigned>(digit);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>(bits >> held & 0xFFu);
  }
  return bytes;
}

}  // namespace flagman::tests
