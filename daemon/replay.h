#pragma once
// Does a recorded package's way again, offline: recorded answers in, decisions
// out, everything journaled in memory.

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "arbiter/round.h"
#include "daemon/journal/memory_journal.h"
#include "daemon/model_port.h"
#include "daemon/recorded_run.h"

namespace flagman::daemon {

/// Something that happened on the way: a command of the machine, or an answer or revision fed to
/// it.
using Happening = std::variant<arbiter::Command, arbiter::Event>;

struct ReplayedPackage {
  arbiter::RoundState state;
  std::vector<validators::Finding> findings;  // of the document as it was received
  MemoryJournal journal;
  std::vector<std::string> missing;  // asks that the run has no answer for, in words
};

/// Told of everything in order, with the state as it stands after it (of an event: before it).
using Observer = std::function<void(const Happening&, const arbiter::RoundState&)>;

/// `games` are the games where the run brings none of its own. `models` answers the asks.
[[nodiscard]] ReplayedPackage replay_package(const RecordedRun& run, const RecordedPackage& package,
                                             const GameRules& games, ModelPort& models,
                                             const Observer& observer = {});

}  // namespace flagman::daemon
