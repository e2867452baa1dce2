#pragma once
// One item in, typed halves or findings out.

#include <string_view>

#include "validators/json.h"
#include "validators/package.h"

namespace flagman::validators {

/// Reads one item of a game, as strictly: a revision that the generator delivered. Text that is no
/// JSON makes an item with the finding `bad_json`. Its duplicates in the game are another check's
/// question (duplicates.h).
[[nodiscard]] Item read_item(std::string_view bytes, const GameKind& kind, const GameTerms& terms,
                             const ItemName& name);

/// The same of an item within a document that was parsed already.
[[nodiscard]] Item read_item_value(const Json& value, const GameKind& kind, const GameTerms& terms,
                                   const ItemName& name);

}  // namespace flagman::validators
