#include "daemon/commands/replay_command.h"

#include <algorithm>

#include "daemon/commands/report.h"
#include "daemon/commands/run_file.h"
#include "daemon/log.h"
#include "daemon/recorded_models.h"

namespace flagman::daemon {
namespace {

void log_package(const ReplayedPackage& package) {
  const auto& id = package.state.package;
  for (const auto& game : package.state.games) {
    for (std::size_t i = 0; i < game.items.size(); ++i) {
      const auto& decision = game.items[i].history.back();
      log_event(LogLevel::debug, "item_decided",
                {{"package", id},
                 {"item", to_text(validators::ItemName{game.kind->name, static_cast<int>(i)})},
                 {"revision", std::to_string(decision.revision)},
                 {"outcome", std::string{name_of(decision.outcome)}}});
    }
  }
  log_event(LogLevel::info, "package_decided",
            {{"package", id}, {"outcome", std::string{name_of(*package.state.outcome)}}});
}

int replay_file(const std::string& file, const ReplayOptions& options,
                const CommandContext& context, Totals& totals) {
  const auto run = open_run(file);
  RecordedModels models{run};
  int exit = exit_ok;
  if (!options.json) context.out << "run " << file << '\n';
  for (const auto& recorded : run.packages) {
    const auto package = replay_package(run, recorded, context.configuration.games, models);
    log_package(package);
    for (const auto& missing : package.missing) {
      context.err << "flagman: the run has no recorded answer: " << file << " package "
                  << recorded.id << ' ' << missing
                  << ": its items are not_recorded; record the run anew\n";
      exit = exit_not_recorded;
    }
    totals.add(package.state);
    if (options.json) {
      print_json(package.state, context.out);
    } else {
      print_table(package, context);
    }
    if (!options.diff) continue;
    const auto differences = find_differences(run, package.state);
    if (options.json) {
      print_json(differences, context.out);
    } else {
      print_text(differences, context);
      if (differences.empty()) context.out << "no decision of the run differs\n";
    }
    if (!differences.empty()) exit = std::max<int>(exit, exit_found);
  }
  return exit;
}

}  // namespace

int replay(const ReplayOptions& options, const CommandContext& context) {
  int exit = exit_ok;
  Totals totals;
  for (const auto& file : options.files) {
    try {
      exit = std::max(exit, replay_file(file, options, context, totals));
    } catch (const UsageError& error) {
      context.err << "flagman: " << error.what() << '\n';
      exit = std::max<int>(exit, exit_unusable);
    }
  }
  if (!options.json && totals.packages > 0) print_text(totals, context);
  return exit;
}

}  // namespace flagman::daemon
