#pragma once
// Items that give themselves away: a pupil can tell the answer without knowing
// anything of the matter, so the item checks nothing.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validators/kinds.h"
#include "validators/package.h"
#include "validators/text.h"

namespace flagman::validators {

// Each function looks at a well-formed item and returns how it tells its own answer, one clause for
// people; nothing where it does not.

/// Options, of which the one at `right` is the key; `question` may be empty. One carries a hint
/// mark («стеклянный (верно)», ✓); one is of the sort «все перечисленные», which shuffling makes
/// senseless; the right one alone stands in the question, as whole words and not within an
/// enumeration; of three or more, the right one alone has a gap or lacks it, ends with a full stop
/// or does not, or is by far the longest or shortest.
[[nodiscard]] std::optional<std::string> find_told_option(const SeenText& question,
                                                          const std::vector<SeenText>& options,
                                                          std::size_t right);

/// A text to be put under a label. It names the label itself, where the game's author chose the
/// labels; or a remark in brackets at its end is the label, its filling or a word for right or
/// wrong.
[[nodiscard]] std::optional<std::string> find_told_label(const SeenText& text,
                                                         std::string_view label,
                                                         const GameKind& kind,
                                                         const GameTerms& terms);

/// A question that holds its short answer of three letters or more, as whole words and not within
/// an enumeration.
[[nodiscard]] std::optional<std::string> find_told_answer(const SeenText& question,
                                                          const SeenText& answer);

/// Steps, in their order, that are numbered.
[[nodiscard]] std::optional<std::string> find_numbering(const std::vector<SeenText>& steps);

}  // namespace flagman::validators
