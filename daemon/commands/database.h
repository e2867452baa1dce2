#pragma once
// The commands of operators and generators over the database.

#include <optional>
#include <string>
#include <vector>

#include "daemon/commands/command.h"
#include "daemon/store/store.h"

namespace flagman::daemon {

struct SubmitOptions {
  std::vector<std::string> files;
  std::optional<std::string> teacher;
};
struct StatusOptions {
  std::optional<std::string> package;
  bool json = false;
};
struct ReviewOptions {
  std::string item;     // "sort/3" or "PACKAGE:sort/3"
  std::string package;  // where `item` does not name it
  bool accept = false, reject = false, rebuild = false;
  std::string why;
  std::string who;
};

[[nodiscard]] int migrate_database(const CommandContext& context);
[[nodiscard]] int submit(const SubmitOptions& options, const CommandContext& context);
[[nodiscard]] int status(const StatusOptions& options, const CommandContext& context);
[[nodiscard]] int watch(const StatusOptions& options, const CommandContext& context);
[[nodiscard]] int result(const std::string& package, const CommandContext& context);
[[nodiscard]] int cancel(const std::string& package, const CommandContext& context);
[[nodiscard]] int review_list(const CommandContext& context);
[[nodiscard]] int review_resolve(const ReviewOptions& options, const CommandContext& context);

/// The package's number. Throws UsageError where there is none.
[[nodiscard]] std::int64_t package_number(Store& store, const std::string& name);

/// The same for several.
[[nodiscard]] std::vector<std::int64_t> package_numbers(Store& store,
                                                        const std::vector<std::string>& names);

/// Opens the configured database; its trouble is a UsageError here.
[[nodiscard]] Store open_store(const CommandContext& context);

}  // namespace flagman::daemon
