#pragma once
// A finding: what a validator saw, where, and how grave it is.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validators/reason.h"

namespace flagman::validators {

enum class Severity {
  reject,  // a fault of the document or of a game: the package is refused whole
  flag,    // a fault of one item: the item goes back to its author
  warn,    // worth a look; decides nothing
};

/// "reject", "flag" or "warn".
[[nodiscard]] std::string_view name_of(Severity severity);

/// Names an item within its package: `sort/3`.
struct ItemName {
  std::string kind;
  int ordinal = 0;

  friend auto operator<=>(const ItemName&, const ItemName&) = default;
};

/// "sort/3".
[[nodiscard]] std::string to_text(const ItemName& item);

/// Reads "sort/3"; nothing where the text is no such name (no sign, no leading zero).
[[nodiscard]] std::optional<ItemName> parse_item_name(std::string_view text);

struct Finding {
  Reason code;
  Severity severity;
  std::optional<ItemName> item;  // absent: a fault of the document or of a game
  std::string place;             // JSON Pointer (RFC 6901) into the document or the delivered item
  std::string detail;            // for people: what is there and what should be
};

/// The codes that `findings` carry at that severity, each once, in order of first appearance.
[[nodiscard]] std::vector<Reason> reasons_of(const std::vector<Finding>& findings,
                                             Severity severity);

}  // namespace flagman::validators
