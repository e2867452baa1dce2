#pragma once
// Exact duplicates within a game: the same item twice, the same item with two
// keys, and two pairs that each fit the other's side.

#include <cstddef>
#include <vector>

#include "validators/finding.h"
#include "validators/package.h"

namespace flagman::validators {

/// One well-formed item of a game, as it stands now.
struct DuplicateSubject {
  const Item* item = nullptr;  // never null
  std::size_t ordinal = 0;
  bool open = false;  // judged in this round: only open items are flagged
};

/// Two items are the same item when their echoed text and their sets of options, words or steps are
/// the same, compared by `fold`. With the same key the later open one is a `duplicate_item` (where
/// only one of them is open, that one); with different keys every open one has
/// `contradictory_keys`. Two pairs that are not the same item and fit each other's sides are
/// `ambiguous_pair`, every open one: they have the same right side, or each left side expands to
/// the other's right side, a gap taking up to `gap_max` letters. Keys are compared by `fold` too.
/// The subjects are given by ascending ordinal, and so come the findings, at most one of a code an
/// item; their `place` is empty. Time is linear in the number of items: beyond 2,000 candidates for
/// a left side the others are not asked.
[[nodiscard]] std::vector<Finding> check_duplicates(const GameKind& kind,
                                                    const std::vector<DuplicateSubject>& subjects,
                                                    int gap_max);

}  // namespace flagman::validators
