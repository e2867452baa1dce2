#include "daemon/cli.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <functional>
#include <optional>
#include <string>

#include "daemon/commands/check.h"
#include "daemon/commands/explain.h"
#include "daemon/commands/replay_command.h"
#include "daemon/configuration.h"
#include "daemon/log.h"
#include "daemon/version.h"

namespace flagman::daemon {
namespace {

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

CLI::App* add_command(CLI::App& app, const char* name, const char* does, const char* example) {
  auto* command = app.add_subcommand(name, does);
  command->footer(std::string{"Example:\n  "} + example);
  command->fallthrough();  // --config and the like may stand behind the command too
  return command;
}

}  // namespace

int run_command_line(int argc, const char* const* argv, std::ostream& out, std::ostream& err) {
  CLI::App app{"Flagman checks packages of classroom games and never rewrites an author's key."};
  app.name("flagman");
  app.footer("Example:\n  flagman replay tests/data/runs/n-nn.run.jsonl --diff");
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string{"flagman "} + version);
  std::optional<std::string> config, language, log_level;
  app.add_option("--config", config,
                 "Configuration (default: config/flagman.toml, then built-in defaults)");
  app.add_option("--language", language, "Language of sentences")
      ->check(CLI::IsMember({"en", "ru"}));

  std::function<int(const CommandContext&)> command;

  CheckOptions check_options;
  auto* check_app =
      add_command(app, "check", "Checks packages by code alone: no database, no model",
                  "flagman check package.json --json");
  check_app->add_option("FILE", check_options.files, "Packages, flagman.package/1")->required();
  check_app->add_flag("--json", check_options.json, "One JSON object a finding");
  check_app->callback([&] {
    command = [&](const CommandContext& context) { return check(check_options, context); };
  });

  ReplayOptions replay_options;
  auto* replay_app =
      add_command(app, "replay", "Does recorded runs again, offline, and prints every decision",
                  "flagman replay run.jsonl --json --diff");
  replay_app->add_option("RUN", replay_options.files, "Recorded runs, flagman.run/1")->required();
  replay_app->add_flag("--json", replay_options.json, "One JSON object an item and a package");
  replay_app->add_flag("--diff", replay_options.diff,
                       "Compare with the decisions in the run; exit 1 where one differs");
  replay_app->callback([&] {
    command = [&](const CommandContext& context) { return replay(replay_options, context); };
  });

  ExplainOptions explain_options;
  auto* explain_app = add_command(app, "explain", "Tells one item's whole story in plain words",
                                  "flagman explain run.jsonl sort/2 --language ru");
  explain_app->add_option("RUN", explain_options.run, "A recorded run")->required();
  explain_app->add_option("ITEM", explain_options.item, "The item, for instance sort/3")
      ->required();
  explain_app->add_option("--package", explain_options.package,
                          "Of this package alone (default: every package with such an item)");
  explain_app->callback([&] {
    command = [&](const CommandContext& context) { return explain(explain_options, context); };
  });

  try {
    app.parse(argc, argv);
    auto configuration = read_configuration(config);
    set_log_level(configuration.log_level);
    if (language) configuration.language = *language;
    const int exit = command({configuration, Language{configuration.language}, out, err});
    out.flush();
    if (!out) throw UsageError{"the results cannot be written: standard output: is the disk full?"};
    return exit;
  } catch (const CLI::CallForVersion& request) {
    out << request.what() << '\n';
    return exit_ok;
  } catch (const CLI::CallForHelp&) {
    out << app.help();
    return exit_ok;
  } catch (const CLI::ParseError& error) {
    err << "flagman: wrong usage: " << one_line(error.what()) << ": see flagman --help\n";
  } catch (const UsageError& error) {
    err << "flagman: " << one_line(error.what()) << '\n';
  } catch (const std::exception& error) {
    err << "flagman: failed: " << one_line(error.what()) << ": please report this\n";
  }
  return exit_unusable;
}

}  // namespace flagman::daemon
