#pragma once
// Replayed packages as lines: JSON for programs, a table for people.

#include <map>
#include <string>
#include <vector>

#include "daemon/commands/command.h"
#include "daemon/recorded_run.h"
#include "daemon/replay.h"

namespace flagman::daemon {

/// How many items ended how, over one or several packages.
struct Totals {
  int packages = 0;
  int items = 0;
  std::map<std::string, int> by_outcome;
  std::map<std::string, int> by_route;

  void add(const arbiter::RoundState& state);
};

/// A decision of the run beside what is decided now about the same revision.
struct Difference {
  const RecordedDecision* recorded = nullptr;
  std::string outcome_now;  // empty where the revision does not exist now
  std::string key_now;      // as JSON text
  bool outcome_differs = false;
  bool key_differs = false;
};

/// Where the run's decisions about that package differ now, by outcome or key.
[[nodiscard]] std::vector<Difference> find_differences(const RecordedRun& run,
                                                       const arbiter::RoundState& state);

/// One object a line an item, and one for the package.
void print_json(const arbiter::RoundState& state, std::ostream& out);
void print_json(const std::vector<Difference>& differences, std::ostream& out);

/// A table of items: outcome, revision, route, reasons in words.
void print_table(const ReplayedPackage& package, const CommandContext& context);
void print_items(const arbiter::RoundState& state, const CommandContext& context);
void print_text(const std::vector<Difference>& differences, const CommandContext& context);
void print_text(const Totals& totals, const CommandContext& context);

/// The word under which people count an item: "rebuilt" where it was accepted at revision 2 or
/// later, else its outcome's name.
[[nodiscard]] std::string counted_as(const arbiter::ItemProgress& item);

}  // namespace flagman::daemon
