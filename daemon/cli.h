#pragma once
// The command line: which command, with which options, on which configuration.

#include <ostream>

namespace flagman::daemon {

/// Runs the command that the arguments name and gives the exit code. Results go to `out`; errors,
/// one line each, to `err`. Throws nothing.
[[nodiscard]] int run_command_line(int argc, const char* const* argv, std::ostream& out,
                                   std::ostream& err);

}  // namespace flagman::daemon
