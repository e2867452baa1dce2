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

// Of a number between &# and ;. Not every number is a character's, but every one is an entity.
std::optional<Entity> numbered(std::string_view digits) {
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
  const bool scalar =
      error == std::errc{} && value > 0 && value < 0x110000 && (value < 0xD800 || value > 0xDFFF);
  return Entity{0, 0, scalar ? std::optional{char32_t{value}} : std::nullopt};
}

std::optional<Entity> named(std::string_view name) {
  std::string terminated{name};
  // These four are known in capitals too.
  if (name == "AMP" || name == "LT" || name == "GT" || name == "QUOT") {
    for (char& c : terminated) c = static_cast<char>(c + ('a' - 'A'));
  }
  const auto* known = htmlEntityLookup(reinterpret_cast<const xmlChar*>(terminated.c_str()));
  if (known == nullptr) return std::nullopt;
  return Entity{0, 0, char32_t{known->value}};
}

// What stands between & and ;.
std::optional<Entity> read_inside(std::string_view inside) {
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
    if (auto entity = read_inside(text.substr(at + 1, end - at - 1))) {
      entity->begin = at;
      entity->end = end + 1;
      return entity;
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
    if (entity->character) {
      append_point(out, static_cast<UChar32>(*entity->character));
    } else {
      out += text.substr(entity->begin, entity->end - entity->begin);
    }
    copied = entity->end;
  }
  return out += text.substr(copied);
}

}  // namespace flagman::validators
