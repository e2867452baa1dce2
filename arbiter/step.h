#pragma once
// Steps: the names of what models are asked. A step with the number of the ask
// names one call, live and in a recorded run.

#include <compare>
#include <string>

#include "validators/finding.h"

namespace flagman::arbiter {

/// One solver's sheet of one game in one round.
struct SolveStep {
  std::string solver;
  std::string kind;
  int round = 1;
  int sheet = 1;  // a game's second sheet in a round is 2

  friend auto operator<=>(const SolveStep&, const SolveStep&) = default;
};

/// The order in which the candidates of a hearing stand: `ba` is `ab` reversed.
enum class Order { ab, ba };

/// One order of the hearing about one item.
struct HearingStep {
  validators::ItemName item;
  int round = 1;
  Order order = Order::ab;

  friend auto operator<=>(const HearingStep&, const HearingStep&) = default;
};

/// "solve/strict/sort@1", "solve/strict/sort@1#2".
[[nodiscard]] std::string to_text(const SolveStep& step);

/// "arbiter/sort/3@1/ab".
[[nodiscard]] std::string to_text(const HearingStep& step);

}  // namespace flagman::arbiter
