#include "validators/entities.h"

#include <libxml/HTMLparser.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "validators/utf8.h"

namespace flagman::validators {
namespace {

constexpr std::size_t name_max = 32;  // no entity has a longer name

bool is_alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

// Of digits alone, as many as there are.
std::optional<char32_t> numbered(std::string_view digits) {
  int base = 10;
  if (digits.starts_with('x') || digits.starts_with('X')) {
    digits.remove_prefix(1);
    base = 16;
  }
  std::uint32_t value = 0;
  const auto* first = digits.data();
  const auto* last = first + digits.size();
  const auto [end, error] = std::from_chars(first, last, value, base);
  if (end != last || first == last) return std::nullopt;
  // A number of no character is an entity all the same; browsers show U+FFFD.
  const bool scalar =
      error == std::errc{} && value > 0 && value < 0x110000 && (value < 0xD800 || value > 0xDFFF);
  return scalar ? value : 0xFFFD;
}

std::optional<char32_t> named(std::string_view name) {
  const std::string terminated{name};
  const auto* known = htmlEntityLookup(reinterpret_cast<const xmlChar*>(terminated.c_str()));
  if (known == nullptr) return std::nullopt;
  return known->value;
}

// What stands between & and ;.
std::optional<char32_t> character_of(std::string_view inside) {
  if (inside.starts_with('#')) return numbered(inside.substr(1));
  return named(inside);
}

}  // namespace

std::optional<Entity> find_entity(std::string_view text, std::size_t from) {
  for (auto at = text.find('&', from); at != std::string_view::npos; at = text.find('&', at + 1)) {
    auto end = at + 1;
    if (end < text.size() && text[end] == '#') ++end;
    const auto limit = std::min(text.size(), end + name_max);
    while (end < limit && is_alphanumeric(text[end])) ++end;
    if (end >= text.size() || text[end] != ';') continue;
    if (const auto character = character_of(text.substr(at + 1, end - at - 1))) {
      return Entity{at, end + 1, *character};
    }
  }
  return std::nullopt;
}

std::string decode_entities(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  std::size_t copied = 0;
  while (const auto entity = find_entity(text, copied)) {
    out += text.substr(copied, entity->begin - copied);
    append_point(out, static_cast<UChar32>(entity->character));
    copied = entity->end;
  }
  return out += text.substr(copied);
}

}  // namespace flagman::validators
