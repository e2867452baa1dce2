#include "daemon/store/array_text.h"

#include <utility>

namespace flagman::daemon {

void ArrayText::separate() {
  if (text_.size() > 1) text_ += ',';
}

void ArrayText::add_number(std::int64_t value) {
  separate();
  text_ += std::to_string(value);
}

std::string storable_text(std::string_view text) {
  std::string storable;
  storable.reserve(text.size());
  for (const char c : text) {
    if (c == '\0') {
      storable += "\uFFFD";
    } else {
      storable += c;
    }
  }
  return storable;
}

void ArrayText::add_text(std::string_view value) {
  separate();
  text_ += '"';
  for (const char c : storable_text(value)) {
    if (c == '"' || c == '\\') text_ += '\\';
    text_ += c;
  }
  text_ += '"';
}

void ArrayText::add_optional(const std::optional<std::string>& value) {
  if (value) {
    add_text(*value);
  } else {
    separate();
    text_ += "NULL";
  }
}

void ArrayText::add_bytes(std::string_view value) {
  constexpr std::string_view digits = "0123456789abcdef";
  separate();
  text_ += "\"\\\\x";
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    text_ += digits[byte >> 4U];
    text_ += digits[byte & 0xFU];
  }
  text_ += '"';
}

std::string ArrayText::take() {
  text_ += '}';
  return std::exchange(text_, std::string(1, '{'));
}

}  // namespace flagman::daemon
