#include "validators/characters.h"

#include <unicode/uchar.h>

#include <cstdint>

#include "validators/utf8.h"

namespace flagman::validators {
namespace {

constexpr UChar32 zero_width_joiner = 0x200D;
constexpr int flag_tags_max = 8;  // no flag has more, its cancel tag counted

bool is_selector(UChar32 c) { return c == 0xFE0E || c == 0xFE0F; }

bool is_tag(UChar32 c) { return c >= 0xE0020 && c <= 0xE007F; }

bool is_pictograph(UChar32 c) {
  return c >= 0 && u_hasBinaryProperty(c, UCHAR_EXTENDED_PICTOGRAPHIC) != 0;
}

bool is_keycap_base(UChar32 c) { return (c >= '0' && c <= '9') || c == '#' || c == '*'; }

// The code point that ends right before `at`, -1 at the beginning of the text. Moves `at` to it.
UChar32 step_back(std::string_view text, std::size_t& at) {
  return at == 0 ? -1 : previous_point(text, at);
}

bool joins_pictographs(std::string_view text, std::size_t offset) {
  auto before = offset;
  UChar32 c = step_back(text, before);
  while (c == 0xFE0F || (c >= 0 && u_hasBinaryProperty(c, UCHAR_EMOJI_MODIFIER) != 0)) {
    c = step_back(text, before);
  }
  if (!is_pictograph(c)) return false;
  auto after = offset + U8_LENGTH(zero_width_joiner);
  return after < text.size() && is_pictograph(next_point(text, after));
}

bool selects_form(std::string_view text, std::size_t offset) {
  const UChar32 c = step_back(text, offset);
  return is_pictograph(c) || is_keycap_base(c);
}

bool tags_flag(std::string_view text, std::size_t offset) {
  for (int tags = 0; tags < flag_tags_max; ++tags) {
    const UChar32 c = step_back(text, offset);
    if (is_pictograph(c)) return true;
    if (!is_tag(c)) return false;
  }
  return false;
}

bool is_line_break(UChar32 c) { return c == '\n' || c == '\r' || c == 0x2028 || c == 0x2029; }

// Whatever stands around it.
bool is_forbidden_anywhere(UChar32 c) {
  if (c < 0x80) return c < 0x20 || c == 0x7F;
  if (c < 0xA0 || c == 0x061C) return true;  // controls, a direction mark
  if (c < 0x200E) return false;
  if (c <= 0x200F) return true;                 // the two direction marks
  if (c >= 0x202A && c <= 0x202E) return true;  // embeddings and overrides
  if (c >= 0x2066 && c <= 0x2069) return true;  // isolates
  if (c >= 0xFFF9 && c <= 0xFFFD) return true;
  return u_charType(c) == U_PRIVATE_USE_CHAR || U_IS_UNICODE_NONCHAR(c);
}

}  // namespace

bool is_invisible(char32_t c) {
  if (c < 0x300) return c == 0xAD;
  if (c < 0x2000) {
    return c == 0x034F || c == 0x115F || c == 0x1160 || c == 0x17B4 || c == 0x17B5 ||
           (c >= 0x180B && c <= 0x180F);
  }
  return (c >= 0x200B && c <= 0x200D) || (c >= 0x2060 && c <= 0x2064) || c == 0x3164 ||
         (c >= 0xFE00 && c <= 0xFE0F) || c == 0xFEFF || c == 0xFFA0 ||
         (c >= 0xE0020 && c <= 0xE007F) || (c >= 0xE0100 && c <= 0xE01EF);
}

bool belongs_to_emoji(std::string_view text, std::size_t offset) {
  auto next = offset;
  const UChar32 c = next_point(text, next);
  if (c == zero_width_joiner) return joins_pictographs(text, offset);
  if (is_selector(c)) return selects_form(text, offset);
  return is_tag(c) && tags_flag(text, offset);
}

std::optional<ForbiddenCharacter> find_forbidden(std::string_view text, LineBreaks line_breaks) {
  for (std::size_t at = 0; at < text.size();) {
    const auto start = at;
    UChar32 c = next_point(text, at);
    if (c < 0) c = 0xFFFD;
    const auto character = static_cast<char32_t>(c);
    if (is_line_break(c)) {
      if (line_breaks == LineBreaks::allowed) continue;
    } else if (is_invisible(character)) {
      if (belongs_to_emoji(text, start)) continue;
    } else if (!is_forbidden_anywhere(c)) {
      continue;
    }
    return ForbiddenCharacter{character, start};
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
