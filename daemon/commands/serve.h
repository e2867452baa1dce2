#pragma once
// `flagman serve`: the daemon itself.

#include <optional>
#include <string>

#include "daemon/commands/command.h"

namespace flagman::daemon {

struct ServeOptions {
  std::optional<std::string> embedded;  // a folder for a private PostgreSQL
};

/// Works until SIGTERM or SIGINT. 0 after a clean stop; throws UsageError where it cannot start. A
/// database that is away is waited for.
[[nodiscard]] int serve(const ServeOptions& options, const CommandContext& context);

}  // namespace flagman::daemon
