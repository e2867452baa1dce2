#pragma once
// One item in, typed halves or findings out.

#include <string_view>

#include "validators/json.h"
#include "validators/package.h"

namespace flagman::validators {

/// What an operator may choose about the checks.
struct CheckPolicy {
  int gap_max = 6;              // letters in a filled gap
  double near_duplicate = 0.9;  // Jaccard index above which two items nearly repeat one another
};

/// Reads one item of a game, as strictly: a revision that the generator delivered. Text that is no
/// JSON makes an item with the finding `bad_json`. Its duplicates in the game are another check's
/// question (duplicates.h).
[[nodiscard]] Item read_item(std::string_view bytes, const GameKind& kind, const GameTerms& terms,
                             const ItemName& name, const CheckPolicy& policy);

/// The same of an item within a document that was parsed already, into a fresh `item`, which shares
/// the document.
void read_item_value(std::shared_ptr<const Json> value, const GameKind& kind,
                     const GameTerms& terms, const ItemName& name, const CheckPolicy& policy,
                     Item& item);

}  // namespace flagman::validators
