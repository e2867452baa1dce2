#pragma once
// Words within a text: where one ends, whether a phrase stands there as whole
// words, and the word that a filled gap gives.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace flagman::validators {

/// True where a letter, digit or combining mark ends right before, or begins right at, `offset`.
[[nodiscard]] bool word_character_before(std::string_view text, std::size_t offset);
[[nodiscard]] bool word_character_at(std::string_view text, std::size_t offset);

/// Byte offset of the first place at or after `from` where `phrase` stands in `text` as whole
/// words: no letter, digit or mark touches either end. Nothing for an empty phrase. Bytes are
/// compared, so both should be in the same normal form.
[[nodiscard]] std::optional<std::size_t> find_whole_words(std::string_view text,
                                                          std::string_view phrase,
                                                          std::size_t from = 0);

/// The word around the first gap of a tidied text, every gap in it filled with `filling`: the
/// letters, digits, marks, hyphens and apostrophes that touch the gap. Empty without a gap.
[[nodiscard]] std::string word_filled(std::string_view tidied, std::string_view filling);

}  // namespace flagman::validators
