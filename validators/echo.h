#pragma once
// The echo: a reply names its item by number and repeats its text word for
// word. A number alone slides; the text shows which item was really judged.

#include <string>
#include <string_view>
#include <vector>

#include "validators/package.h"

namespace flagman::validators {

/// The text that must be repeated for each item of a game, by ordinal, from the items as they stand
/// now; empty for an item without a face. Where the kind says so and two items have the same text
/// (by `tidy`), both are echoed with their options.
[[nodiscard]] std::vector<std::string> echo_texts(const GameKind& kind,
                                                  const std::vector<const Item*>& items);

}  // namespace flagman::validators
