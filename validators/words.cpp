#include "validators/words.h"

#include <unicode/uchar.h>

#include "validators/text.h"
#include "validators/utf8.h"

namespace flagman::validators {
namespace {

bool is_word_character(UChar32 c) {
  return u_isalpha(c) != 0 || u_isdigit(c) != 0 || (U_GET_GC_MASK(c) & U_GC_M_MASK) != 0;
}

UChar32 point_before(std::string_view text, std::size_t offset) {
  return offset == 0 ? -1 : previous_point(text, offset);
}

UChar32 point_at(std::string_view text, std::size_t offset) {
  return offset < text.size() ? next_point(text, offset) : -1;
}

bool belongs_to_word(UChar32 c) {
  return c >= 0 && (is_word_character(c) || c == '-' || c == 0x2010 || c == 0x2011 || c == '\'' ||
                    c == 0x2019);
}

std::size_t length_of(UChar32 c) { return static_cast<std::size_t>(U8_LENGTH(c)); }

}  // namespace

bool word_character_before(std::string_view text, std::size_t offset) {
  const UChar32 c = point_before(text, offset);
  return c >= 0 && is_word_character(c);
}

bool word_character_at(std::string_view text, std::size_t offset) {
  const UChar32 c = point_at(text, offset);
  return c >= 0 && is_word_character(c);
}

std::string word_filled(std::string_view tidied, std::string_view filling) {
  const auto gap = find_gap(tidied);
  if (!gap) return {};
  std::size_t begin = *gap;
  for (UChar32 c = point_before(tidied, begin); belongs_to_word(c);
       c = point_before(tidied, begin)) {
    begin -= length_of(c);
  }
  std::string word{tidied.substr(begin, *gap - begin)};
  for (std::size_t at = *gap; at < tidied.size();) {
    if (tidied.substr(at).starts_with(gap_spelling) && find_gap(tidied, at) == at) {
      word += filling;
      at += gap_spelling.size();
      continue;
    }
    const UChar32 c = point_at(tidied, at);
    if (!belongs_to_word(c)) break;
    word += tidied.substr(at, length_of(c));
    at += length_of(c);
  }
  return word;
}

std::optional<std::size_t> find_whole_words(std::string_view text, std::string_view phrase,
                                            std::size_t from) {
  if (phrase.empty()) return std::nullopt;
  for (auto at = text.find(phrase, from); at != std::string_view::npos;
       at = text.find(phrase, at + 1)) {
    if (!word_character_before(text, at) && !word_character_at(text, at + phrase.size())) return at;
  }
  return std::nullopt;
}

}  // namespace flagman::validators
