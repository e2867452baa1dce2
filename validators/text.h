#pragma once
// The normal forms of text. One form for everything would be wrong: an echo
// must tell `звОнит` from `звонИт`, a duplicate must not hide behind another
// kind of quotation mark.
//
// All functions are pure, linear in their input and throw only std::bad_alloc.
// Input is UTF-8; a byte sequence that is not becomes U+FFFD.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace flagman::validators {

/// How every gap is spelled after `tidy`.
inline constexpr std::string_view gap_spelling = "..";

/// For word-for-word comparison. Drops the invisible (soft hyphen, zero width outside an emoji
/// sequence, byte order mark, word joiner), composes (NFC), writes every gap as `..`, makes one
/// space of every run of spaces and line breaks, trims. Letters, case, stress marks, quotes,
/// dashes, signs and punctuation stay.
/// A gap is a run of two or more full stops, of one or more `…`, or of one or more `_`. Dots and
/// `…` right after `?` or `!` are punctuation and stay as they are.
[[nodiscard]] std::string tidy(std::string_view text);

/// For duplicates: `tidy`, then HTML entities decoded, ё as е, all quotes as `"`, all hyphens,
/// dashes and the minus sign as `-`, Latin look-alikes inside a word with Cyrillic letters as
/// Cyrillic. Case, stress marks and punctuation stay.
[[nodiscard]] std::string fold(std::string_view text);

/// For the dictionary: `tidy`, lower case, stress marks (acute and grave) dropped; ё stays.
[[nodiscard]] std::string lookup(std::string_view word);

/// For "apart from case": `tidy`, then Unicode's full case folding.
[[nodiscard]] std::string caseless(std::string_view text);

/// True where both texts have the same `tidy` form.
[[nodiscard]] bool same_text(std::string_view one, std::string_view other);

/// Byte offset of the first gap at or after `from` in a tidied text. Dots after `?` or `!` are
/// none.
[[nodiscard]] std::optional<std::size_t> find_gap(std::string_view tidied, std::size_t from = 0);

/// True where the text has user-perceived characters (extended grapheme clusters, UAX 29) beyond
/// `characters_max`.
[[nodiscard]] bool longer_than(std::string_view text, int characters_max);

/// True where a letter, digit or combining mark ends right before, or begins right at, `offset`.
[[nodiscard]] bool word_character_before(std::string_view text, std::size_t offset);
[[nodiscard]] bool word_character_at(std::string_view text, std::size_t offset);

/// The word around the first gap of a tidied text, every gap in it filled with `filling`: the
/// letters, digits, marks, hyphens and apostrophes that touch the gap. Empty without a gap.
[[nodiscard]] std::string word_filled(std::string_view tidied, std::string_view filling);

}  // namespace flagman::validators
