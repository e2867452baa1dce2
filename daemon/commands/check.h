#pragma once
// `flagman check`: the structural validators alone, no database, no model.

#include <string>
#include <vector>

#include "daemon/commands/command.h"

namespace flagman::daemon {

struct CheckOptions {
  std::vector<std::string> files;
  bool json = false;
};

/// 0: clean or warnings alone; 1: findings; 2: a file that cannot be read or is over 16 MiB. The
/// highest counts; every file is looked at.
[[nodiscard]] int check(const CheckOptions& options, const CommandContext& context);

}  // namespace flagman::daemon
