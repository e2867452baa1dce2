#pragma once
// A recorded run, `flagman.run/1`: packages, the model answers they got, the
// revisions their author delivered, and what was decided then.

#include <cstddef>
#include <functional>
#include <istream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <tuple>
#include <vector>

#include "arbiter/outcome.h"
#include "arbiter/policy.h"
#include "arbiter/reply.h"
#include "daemon/game_rules.h"
#include "validators/finding.h"

namespace flagman::daemon {

struct RecordedPackage {
  std::string id;
  std::string body;  // the document as received
};

/// What was decided when the run was recorded, by whatever version recorded it.
struct RecordedDecision {
  std::string package;
  validators::ItemName item;
  int revision = 1;
  std::string outcome;
  std::vector<std::string> reasons;
  std::string key;    // as JSON text
  std::string route;  // or empty
};

/// One ask: package, step, number.
using CallName = std::tuple<std::string, std::string, int>;
/// One revision: package, item, number.
using RevisionName = std::tuple<std::string, validators::ItemName, int>;

struct RecordedRun {
  std::string flagman;     // the version that recorded it, or empty
  std::string started_at;  // or empty
  arbiter::Policy policy;
  GameRules games;                        // the run's own, or without kinds
  std::vector<RecordedPackage> packages;  // in the order of the file
  std::map<CallName, arbiter::ModelResponse> calls;
  std::map<RevisionName, std::string> rebuilds;  // the item as JSON text
  std::vector<RecordedDecision> decisions;       // in the order of the file
};

/// What makes a run unusable.
struct RunFault {
  std::size_t line = 0;  // from 1; 0: the file as a whole
  std::string what;
};

/// A line beyond this is refused: a package and its frame fit four times over.
inline constexpr std::size_t run_line_bytes_max = std::size_t{64} << 20;

/// Reads a run as strictly as its format says; the first fault ends the reading.
[[nodiscard]] tl::expected<RecordedRun, RunFault> read_run(std::istream& file);

}  // namespace flagman::daemon
