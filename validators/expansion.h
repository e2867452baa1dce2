#pragma once
// Pair expansion: is the right side the left side with its gaps filled in?
//
// People and models read "маши..а вязка" as if the lost letter were there, so
// no number of votes can settle this. The check compares letters and knows no
// words: whether a filling exists in the language is the dictionary's question.

#include <string_view>

namespace flagman::validators {

struct FillingPolicy {
  int letters_max = 6;         // for each gap; a combining mark rides with its letter
  std::string_view also = {};  // further ASCII characters that may fill: '-', ' ', or both
};

enum class Expansion { expands, does_not_expand };

/// Both sides are tidied (text.h), so every gap is spelled "..".
/// A gap takes 0 to `letters_max` letters of one word. A left side without a gap, a right side that
/// still has one, and bytes that are not UTF-8 do not expand. Pure; time grows with the product of
/// the right side's length and the number of gaps at worst, and is linear in ordinary pairs; throws
/// only std::bad_alloc.
[[nodiscard]] Expansion check_pair_expansion(std::string_view left, std::string_view right,
                                             const FillingPolicy& policy);

}  // namespace flagman::validators
