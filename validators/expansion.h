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
/// still has one, and bytes that are not UTF-8 do not expand. Pure; no allocation unless a word has
/// two gaps; linear in the sides' length, but in a word whose gaps may be filled in many ways (one
/// letter repeated) its length times its number of gaps; throws only std::bad_alloc.
[[nodiscard]] Expansion check_pair_expansion(std::string_view left, std::string_view right,
                                             const FillingPolicy& policy);

enum class NearExpansion { almost, not_almost };

/// Whether two sides of which one has a gap fail to be an expansion by a slip: a letter lost,
/// doubled, changed or swapped. Both are tidied. Stress marks are left out of account; where both
/// sides have a gap, the left one is filled.
///
/// Counted are edits of single code points between the literal parts and the other side (to insert,
/// delete, replace one, to swap two neighbours), every gap taking its letters for free. Almost: at
/// least one edit, at most two, and at most one for every five letters and digits of the literal
/// parts. A slip in a single word is one letter lost, added or swapped alone, because «выт..рать» –
/// «вытереть» are two words; and such a word is no slip where only its ending differs («стор..на» –
/// «стороны»): up to two letters of the one, behind its last gap and not all of what is there, and
/// up to three of the other; an ending that one side lacks follows no vowel.
/// Time is linear in sides of ordinary length; at worst it is their product.
[[nodiscard]] NearExpansion check_near_expansion(std::string_view left, std::string_view right,
                                                 const FillingPolicy& policy);

}  // namespace flagman::validators
