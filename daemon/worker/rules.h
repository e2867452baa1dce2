#pragma once
// What a package is judged by. The first entry of its journal fixes it, by digests; the bytes lie
// in the database under them.

#include <string>

#include "arbiter/policy.h"
#include "daemon/game_rules.h"
#include "daemon/store/rows.h"
#include "daemon/store/store.h"

namespace flagman::daemon {

struct Rules {
  arbiter::Policy policy;
  std::string policy_written;  // as to_json(policy) writes it
  GameRules games;
};

[[nodiscard]] Rules make_rules(arbiter::Policy policy, GameRules games);

/// From the bytes on record. Throws std::runtime_error where they cannot be read.
[[nodiscard]] Rules read_rules(const std::string& policy, const std::string& games);

/// The digests of policy and games that a record names; two empty texts where it has no opening
/// yet.
struct RuleDigests {
  std::string policy, games;
};
[[nodiscard]] RuleDigests rule_digests(const PackageRecord& record);

/// The rules on record of a package; `otherwise` for one that nobody has taken up yet.
[[nodiscard]] Rules rules_on_record(Store& store, const PackageRecord& record,
                                    const Rules& otherwise);

}  // namespace flagman::daemon
