#pragma once
// `flagman record`: packages out of the database as a recorded run.

#include <optional>
#include <string>
#include <vector>

#include "daemon/commands/command.h"

namespace flagman::daemon {

struct RecordOptions {
  std::vector<std::string> packages;
  std::optional<std::string> since;  // an RFC 3339 time: packages submitted from then on
};

/// Writes one run, policy and games whole, so that it stands alone.
[[nodiscard]] int record(const RecordOptions& options, const CommandContext& context);

}  // namespace flagman::daemon
