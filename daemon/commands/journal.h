#pragma once
// `flagman journal`: reads the record, and says whether it is whole.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "daemon/commands/command.h"
#include "daemon/store/store.h"

namespace flagman::daemon {

struct JournalOptions {
  std::vector<std::string> packages;  // verify: none is all
  std::optional<std::string> file;    // verify: entries as `show` prints them
};

/// The entries of a package, each as its exact bytes, one a line.
[[nodiscard]] int journal_show(const std::string& package, const CommandContext& context);

/// Recomputes everything that is on record: see daemon/verify. 1 where a record is broken, with a
/// line for each fault that names package and entry.
[[nodiscard]] int journal_verify(const JournalOptions& options, const CommandContext& context);

/// The same for the packages with these numbers.
[[nodiscard]] int verify_packages(Store& store, const std::vector<std::int64_t>& packages,
                                  const CommandContext& context);

}  // namespace flagman::daemon
