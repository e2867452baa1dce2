#pragma once
// The policy: what an operator may choose about the way of a package. It
// travels with every recorded run, so that a replay decides by the same rules.

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "validators/json.h"
#include "validators/read_item.h"

namespace flagman::arbiter {

enum class ArbiterOrders { both, single };     // single: order `ab` alone
enum class AfterLastRound { reject, review };  // what becomes of an item flagged in the last round

struct Authority {
  bool short_answers = true;  // short answers may be equal as exact numbers, not only as texts
  bool dictionary = false;    // for every kind, or
  std::vector<std::string> dictionary_kinds;  // for these
};

struct Policy {
  std::vector<std::string> solvers{"strict", "methodist"};  // at least two, all different
  ArbiterOrders arbiter_orders = ArbiterOrders::both;
  int max_rounds = 2;  // from 1
  int gap_max = 6;     // letters in a filled gap, from 0
  int sheet_max = 40;  // items a sheet, from 1
  Authority authority;
  double near_duplicate = 0.9;  // from 0 to 1
  AfterLastRound after_last_round = AfterLastRound::reject;
};

/// What of the policy the validators go by.
[[nodiscard]] validators::CheckPolicy check_policy(const Policy& policy);

/// Asks of one step in all, whatever failed.
inline constexpr int asks_max = 3;

/// Reads a policy of a recorded run; what is absent has its default. An unknown field or a value
/// out of range is an error: one clause that names it.
[[nodiscard]] tl::expected<Policy, std::string> parse_policy(const validators::Json& value);

/// The policy as one line of JSON, every field given: what a run's header and the record hold.
[[nodiscard]] std::string to_json(const Policy& policy);

}  // namespace flagman::arbiter
