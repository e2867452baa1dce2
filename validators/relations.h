#pragma once
// What items say of one another, whatever each is by itself: exact and near
// duplicates, contradictory keys, pairs that fit each other's sides.

#include <vector>

#include "validators/finding.h"
#include "validators/package.h"
#include "validators/read_item.h"

namespace flagman::validators {

/// One game's items at their ordinals, as they stand now.
struct RelatedItems {
  const GameKind* kind = nullptr;  // never null
  std::vector<const Item*> items;  // never null
  std::vector<bool> open;          // as long as `items`: judged in this round
};

/// The findings of duplicates.h within each game and of near_duplicates.h among all of them. Only
/// items that are well formed take part and only open ones are reported, each under its own name;
/// `place` is empty.
[[nodiscard]] std::vector<Finding> check_relations(const std::vector<RelatedItems>& games,
                                                   const CheckPolicy& policy);

}  // namespace flagman::validators
