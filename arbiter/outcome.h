#pragma once
// Where items and packages stand, and who settled them: stable words that other
// programs read.

#include <optional>
#include <string_view>

namespace flagman::arbiter {

enum class Outcome {
  pending,
  solving,
  disputed,
  flagged,  // a rebuild is asked
  accepted,
  rejected,
  manual_review,
  not_recorded,  // in a replay only: the run has no answer for a step
};

enum class PackageOutcome {
  running,
  awaiting_rebuild,
  accepted,
  rejected,
  manual_review,
  not_recorded,
  cancelled
};

/// The stage that settled an item.
enum class Route { structural, authority, solvers, arbiter, op };

[[nodiscard]] std::string_view name_of(Outcome outcome);
[[nodiscard]] std::string_view name_of(PackageOutcome outcome);
/// `Route::op` is "operator".
[[nodiscard]] std::string_view name_of(Route route);

}  // namespace flagman::arbiter
