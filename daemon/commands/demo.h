#pragma once
// `flagman demo`: a recorded run through the real daemon, from nothing to its result.

#include <string>

#include "daemon/commands/command.h"

namespace flagman::daemon {

struct DemoOptions {
  std::string run;    // a recorded run; empty: the one that is built in
  bool json = false;  // the lines of `replay --json` in place of the table
};

/// Pushes a recorded run through the worker on a private PostgreSQL in a temporary folder: its
/// packages are submitted, its answers given, its revisions delivered by a generator that reads the
/// open rebuilds. Ends with the table of items and the journal's verification; 1 where that fails.
[[nodiscard]] int demo(const DemoOptions& options, const CommandContext& context);

}  // namespace flagman::daemon
