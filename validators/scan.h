#pragma once
// One look at a text, to know which of the dear looks it needs at all.
//
// Nearly every text of a package is ordinary: Cyrillic and Latin letters,
// digits, common signs, one space between words. Such a text is its own tidy
// form, holds nothing forbidden and has one code point a character, and one
// pass over its bytes shows it.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace flagman::validators {

/// What a text may hold. A bit that is not set is a promise: no such thing stands in the text (of
/// `has_mixed_word` only where nothing is uncommon).
enum Trait : std::uint32_t {
  has_latin = 1U << 0U,
  has_cyrillic = 1U << 1U,
  has_digit = 1U << 2U,
  has_control = 1U << 3U,  // a control character, a line break too
  has_sign = 1U << 4U,     // one of < & * ` ~ # [ { % @ | _ + and of the hint marks
  has_bracket = 1U << 5U,  // ( [ {
  has_dots = 1U << 6U,     // two full stops in a row: perhaps a gap
  has_folding = 1U << 7U,  // ё, & or a quote or dash that `fold` writes in another way
  has_untidy = 1U << 8U,   // `tidy` may change the text
  has_uncommon =
      1U << 9U,  // a character outside the ordinary repertoire, or bytes that are no UTF-8
  has_space = 1U << 10U,
  has_mixed_word = 1U << 11U,  // a word of letters and digits with Latin and Cyrillic ones
  has_pointer = 1U << 12U,     // one of - : < > or a dash: what may point at a remark
};

struct Scan {
  std::uint32_t traits = 0;
  std::size_t points = 0;  // code points; where nothing is uncommon, user-perceived characters too

  [[nodiscard]] bool may_have(std::uint32_t any_of) const { return (traits & any_of) != 0; }
  /// The text is its own tidy form.
  [[nodiscard]] bool tidy() const { return !may_have(has_untidy | has_uncommon); }
  /// The text's tidy form is its folded form too.
  [[nodiscard]] bool folds_to_tidy() const {
    return !may_have(has_uncommon | has_folding | has_mixed_word);
  }
};

/// One pass over the bytes; no allocation.
[[nodiscard]] Scan scan(std::string_view text);

}  // namespace flagman::validators
