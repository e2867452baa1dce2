#include "daemon/commands/record.h"

#include "daemon/commands/database.h"
#include "daemon/recorder.h"

namespace flagman::daemon {

int record(const RecordOptions& options, const CommandContext& context) {
  if (options.packages.empty() && !options.since) {
    throw UsageError{"nothing to record: record: name packages, or give --since TIME"};
  }
  if (!options.packages.empty() && options.since) {
    throw UsageError{"both packages and --since: record: give one of the two"};
  }
  auto store = open_store(context);
  const auto packages =
      options.since ? store.packages(options.since) : package_numbers(store, options.packages);
  const auto rules = make_rules({}, context.configuration.games);
  write_run(record_packages(store, packages, rules), context.out);
  return exit_ok;
}

}  // namespace flagman::daemon
