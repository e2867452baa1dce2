#pragma once
// `flagman replay`: does recorded runs again, offline, and tells what would be
// decided now, and where that differs from what was decided then.

#include <string>
#include <vector>

#include "daemon/commands/command.h"

namespace flagman::daemon {

struct ReplayOptions {
  std::vector<std::string> files;
  bool json = false;
  bool diff = false;
};

/// 0: done (with `diff`: the same); 1: decisions differ; 2: an unusable run; 3: an answer was never
/// recorded. The highest counts; every run is done. Nothing is printed of an unusable run.
[[nodiscard]] int replay(const ReplayOptions& options, const CommandContext& context);

}  // namespace flagman::daemon
