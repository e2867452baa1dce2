#include "arbiter/outcome.h"

#include <array>

namespace flagman::arbiter {

std::string_view name_of(Outcome outcome) {
  constexpr std::array<std::string_view, 8> names{"pending",       "solving",     "disputed",
                                                  "flagged",       "accepted",    "rejected",
                                                  "manual_review", "not_recorded"};
  return names.at(static_cast<std::size_t>(outcome));
}

std::string_view name_of(PackageOutcome outcome) {
  constexpr std::array<std::string_view, 7> names{"running",  "awaiting_rebuild", "accepted",
                                                  "rejected", "manual_review",    "not_recorded",
                                                  "cancelled"};
  return names.at(static_cast<std::size_t>(outcome));
}

std::string_view name_of(Route route) {
  constexpr std::array<std::string_view, 5> names{"structural", "authority", "solvers", "arbiter",
                                                  "operator"};
  return names.at(static_cast<std::size_t>(route));
}

}  // namespace flagman::arbiter
