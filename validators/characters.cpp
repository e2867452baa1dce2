#include "validators/characters.h"

#include <unicode/uchar.h>

#include <cstdint>

#include "validators/utf8.h"

namespace flagman::validators {
namespace {

constexpr UChar32 zero_width_joiner = 0x200D;

bool is_modifier(UChar32 c) {
  return c == 0xFE0F || (c >= 0 && u_hasBinaryProperty(c, UCHAR_EMOJI_MODIFIER) != 0);
}

bool is_pictograph(UChar32 c) {
  return c >= 0 && u_hasBinaryProperty(c, UCHAR_EXTENDED_PICTOGRAPHIC) != 0;
}

bool is_forbidden(UChar32 c, LineBreaks line_breaks) {
  if (c == '\n' || c == '\r') return line_breaks == LineBreaks::forbidden;
  if (c < 0x80) return c < 0x20 || c == 0x7F;
  if (c < 0xA0 || c == 0xAD || c == 0x061C) return true;
  if (c < 0x2000) return false;
  if (c >= 0x200B && c <= 0x200F) return true;  // zero width, and the two direction marks
  if (c >= 0x202A && c <= 0x202E) return true;  // embeddings and overrides
  if (c >= 0x2060 && c <= 0x2064) return true;
  if (c >= 0x2066 && c <= 0x2069) return true;  // isolates
  if (c == 0xFEFF || (c >= 0xFFF9 && c <= 0xFFFD)) return true;
  return u_charType(c) == U_PRIVATE_USE_CHAR || U_IS_UNICODE_NONCHAR(c);
}

}  // namespace

bool joins_emoji(std::string_view text, std::size_t offset) {
  auto before = offset;
  UChar32 c = 0;
  do {
    if (before == 0) return false;
    c = previous_point(text, before);
  } while (is_modifier(c));
  if (!is_pictograph(c)) return false;
  auto after = offset + U8_LENGTH(zero_width_joiner);
  return after < text.size() && is_pictograph(next_point(text, after));
}

std::optional<ForbiddenCharacter> find_forbidden(std::string_view text, LineBreaks line_breaks) {
  for (std::size_t at = 0; at < text.size();) {
    const auto start = at;
    UChar32 c = next_point(text, at);
    if (c < 0) c = 0xFFFD;
    if (!is_forbidden(c, line_breaks)) continue;
    if (c == zero_width_joiner && joins_emoji(text, start)) continue;
    return ForbiddenCharacter{static_cast<char32_t>(c), start};
  }
  return std::nullopt;
}

std::string code_point_name(char32_t character) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string name;
  for (auto rest = static_cast<std::uint32_t>(character); rest > 0 || name.size() < 4;
       rest >>= 4U) {
    name.insert(name.begin(), digits[rest & 0xFU]);
  }
  return "U+" + name;
}

}  // namespace flagman::validators
