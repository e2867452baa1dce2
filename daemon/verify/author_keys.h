#pragma once
// What the author's own bytes say the keys are, read here a second time.
//
// The reader that the daemon works with types keys and refuses some; this one
// only looks up where a kind's key lies, so that a mistake of that reader, or a
// key slipped in behind it, does not confirm itself.

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "validators/finding.h"
#include "validators/kinds.h"

namespace flagman::daemon {

/// The key of each item of a package's body, as JSON text: `null` where the item has none. Empty
/// where the document is no package: then none of its items is judged. Never throws on any bytes.
[[nodiscard]] std::map<validators::ItemName, std::string> keys_of_body(
    std::string_view body, const std::shared_ptr<const validators::Kinds>& kinds);

/// The same for a revision as it was delivered: `null` where the bytes are no such item.
[[nodiscard]] std::string key_of_revision(std::string_view written,
                                          const validators::GameKind& kind);

/// True where both texts are JSON and say the same: members in any order, numbers by their value as
/// doubles, which is all that canonical JSON keeps of them.
[[nodiscard]] bool same_json(std::string_view one, std::string_view other);

}  // namespace flagman::daemon
