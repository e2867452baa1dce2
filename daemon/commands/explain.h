#pragma once
// `flagman explain RUN ITEM`: one item's whole story in plain words.

#include <string>

#include "daemon/commands/command.h"

namespace flagman::daemon {

struct ExplainOptions {
  std::string run;
  std::string item;     // "sort/3"; a revision behind it ("sort/3@2") is allowed
  std::string package;  // empty: every package of the run that has the item
};

/// 0: told; 2: no such run, package or item; 3: told, but an answer was never recorded.
[[nodiscard]] int explain(const ExplainOptions& options, const CommandContext& context);

}  // namespace flagman::daemon
