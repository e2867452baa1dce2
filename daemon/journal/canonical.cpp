#include "daemon/journal/canonical.h"

#include <unicode/unistr.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace flagman::daemon {
namespace {

using validators::Json;

icu::UnicodeString utf16(const std::string& text) { return icu::UnicodeString::fromUTF8(text); }

// To ECMAScript every number is a double: whole ones are exact up to 2^53 alone.
bool is_beyond_exact(const Json& value) {
  constexpr std::int64_t exact_max = std::int64_t{1} << 53;
  if (value.is_number_unsigned()) {
    return value.get<std::uint64_t>() > static_cast<std::uint64_t>(exact_max);
  }
  return value.is_number_integer() && value.get<std::int64_t>() < -exact_max;
}

void write(std::string& out, const Json& value);

void write_object(std::string& out, const Json& value) {
  std::vector<std::pair<icu::UnicodeString, const Json*>> members;
  for (const auto& [name, member] : value.items()) members.emplace_back(utf16(name), &member);
  std::sort(members.begin(), members.end(), [](const auto& one, const auto& other) {
    return one.first.compare(other.first) < 0;  // by code units, as RFC 8785 asks
  });
  out += '{';
  bool first = true;
  for (const auto& [name, member] : members) {
    if (!first) out += ',';
    first = false;
    std::string text;
    name.toUTF8String(text);
    out += Json(text).dump();
    out += ':';
    write(out, *member);
  }
  out += '}';
}

void write(std::string& out, const Json& value) {
  if (value.is_object()) {
    write_object(out, value);
  } else if (value.is_array()) {
    out += '[';
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (i > 0) out += ',';
      write(out, value[i]);
    }
    out += ']';
  } else if (value.is_number_float() || is_beyond_exact(value)) {
    out += canonical_number(value.get<double>());
  } else {
    out += value.dump();
  }
}

}  // namespace

std::string canonical_number(double value) {
  if (value == 0) return "0";
  // The shortest digits that read back, as d[.ddd]e±dd; ECMAScript then places the point.
  std::array<char, 40> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::abs(value),
                                 std::chars_format::scientific)
                       .ptr;
  const std::string text(buffer.data(), end);
  const auto e = text.find('e');
  std::string digits = text.substr(0, 1);
  if (e > 2) digits += text.substr(2, e - 2);
  const int exponent = std::stoi(text.substr(e + 1));
  const int count = static_cast<int>(digits.size());
  const int point = exponent + 1;  // the decimal point stands behind this many digits
  std::string out = value < 0 ? "-" : "";
  if (point >= count && point <= 21) {
    out += digits + std::string(static_cast<std::size_t>(point - count), '0');
  } else if (point > 0 && point <= 21) {
    out += digits.substr(0, static_cast<std::size_t>(point)) + "." +
           digits.substr(static_cast<std::size_t>(point));
  } else if (point > -6 && point <= 0) {
    out += "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
  } else {
    out += digits.substr(0, 1);
    if (count > 1) out += "." + digits.substr(1);
    out += exponent < 0 ? "e-" : "e+";
    out += std::to_string(std::abs(exponent));
  }
  return out;
}

std::string canonical_json(const Json& value) {
  std::string out;
  write(out, value);
  return out;
}

}  // namespace flagman::daemon
