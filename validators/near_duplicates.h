#pragma once
// Items that nearly repeat another one: the same question with a word changed.
// It is worth a look and decides nothing, because two questions that differ in
// one word may well be two questions.

#include <cstddef>
#include <string_view>
#include <vector>

namespace flagman::validators {

/// One text among those that are compared.
struct NearText {
  std::string_view folded;   // fold of what a pupil reads
  std::size_t points = 0;    // its code points
  std::string_view options;  // what must be equal beside it: the folded options, sorted
  int game = 0;
  bool open = false;  // only open ones are reported
};

struct NearPair {
  std::size_t reported = 0;  // index of the open text, of two open ones the later
  std::size_t other = 0;     // the first that it resembles
};

/// True of texts that are compared at all: of 20 code points or more.
[[nodiscard]] bool long_enough(const NearText& text);

/// Near duplicates: the Jaccard index of the sets of character trigrams (three code points) is
/// above `threshold` (0 to 1), both texts are long enough, the same runs of digits, the same
/// letters around their gaps, and differ in more than punctuation. Texts of one game that are
/// equal, options and all, are exact duplicates and no near ones; of two games they are near. At
/// most one pair for each text, by `reported`. Each is compared with no more than 4,000 others
/// (nothing is left out below that), so the time is linear in their number.
[[nodiscard]] std::vector<NearPair> find_near_duplicates(const std::vector<NearText>& texts,
                                                         double threshold);

}  // namespace flagman::validators
