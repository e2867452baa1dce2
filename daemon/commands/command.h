#pragma once
// What every command gets, and what it gives back.

#include <memory>
#include <ostream>

#include "daemon/configuration.h"
#include "daemon/language.h"

namespace flagman::daemon {

/// Results go to `out`; errors, one line each, to `err`.
struct CommandContext {
  const Configuration& configuration;
  const Language& language;
  std::ostream& out;
  std::ostream& err;
};

/// Exit codes, the same for every command.
enum ExitCode : int {
  exit_ok = 0,
  exit_found = 1,         // findings, differences, a refusal: what the command looks for
  exit_unusable = 2,      // wrong usage or unusable input
  exit_not_recorded = 3,  // a replay asked what the run has no answer for
};

}  // namespace flagman::daemon
