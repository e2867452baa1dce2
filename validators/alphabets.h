#pragma once
// Letters that look alike in Latin and Cyrillic. A Latin «c» in «cтеклянный»
// looks right on the board, and the word that a pupil types never equals it.

#include <optional>
#include <string>
#include <string_view>

namespace flagman::validators {

/// A word whose letters come from two alphabets where one was meant.
struct MixedWord {
  std::string word;
  std::string letters;  // the strangers in it, each once, as «c» U+0063, joined by ", "
};

/// The first such word of a text. A word is a run of letters, marks and digits, so that
/// «USB-кабель» is two. Its Cyrillic letters on the one side and its Latin and Greek ones on the
/// other make blocks; it is mixed
/// - with three blocks or more: «деpевянный»;
/// - with two where every foreign letter looks like a Cyrillic one: «cтеклянный»;
/// - with two where two or more foreign letters stand beside Cyrillic ones that all look foreign:
///   «Рython» with a Cyrillic Р.
/// An abbreviation with a Russian ending («SMSка», «XIXв») and a sign of a formula with its index
/// («Fтр») are not.
[[nodiscard]] std::optional<MixedWord> find_mixed_word(std::string_view text);

/// Latin letters that look like Cyrillic ones, their accented forms too (a stress mark or ё that
/// was typed with a Latin letter), written as these within every word (letters and marks) that has
/// a Cyrillic letter. The text should be in NFC and stays so.
[[nodiscard]] std::string with_cyrillic_look_alikes(std::string_view text);

}  // namespace flagman::validators
