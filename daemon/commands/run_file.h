#pragma once
// Opens a recorded run from a file, for the commands that replay one.

#include <string>

#include "daemon/recorded_run.h"

namespace flagman::daemon {

/// Throws UsageError for a file that cannot be read and for a run that is unusable, with the line.
[[nodiscard]] RecordedRun open_run(const std::string& path);

}  // namespace flagman::daemon
