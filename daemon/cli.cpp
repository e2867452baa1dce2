#include "daemon/cli.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <functional>
#include <optional>
#include <string>

#include "daemon/commands/check.h"
#include "daemon/commands/database.h"
#include "daemon/commands/demo.h"
#include "daemon/commands/explain.h"
#include "daemon/commands/journal.h"
#include "daemon/commands/record.h"
#include "daemon/commands/replay_command.h"
#include "daemon/commands/serve.h"
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
  explain_app
      ->add_option("RUN", explain_options.run,
                   "A recorded run's file, or a package in the database by its number or id")
      ->required();
  explain_app->add_option("ITEM", explain_options.item, "The item, for instance sort/3")
      ->required();
  explain_app->add_option("--package", explain_options.package,
                          "Of this package alone (default: every package with such an item)");
  explain_app->callback([&] {
    command = [&](const CommandContext& context) { return explain(explain_options, context); };
  });

  ServeOptions serve_options;
  auto* serve_app = add_command(app, "serve", "The daemon: works on packages until SIGTERM",
                                "flagman serve --embedded /var/lib/flagman/postgres");
  serve_app->add_option("--embedded", serve_options.embedded,
                        "Folder of a private PostgreSQL (made where there is none)");
  serve_app->callback([&] {
    command = [&](const CommandContext& context) { return serve(serve_options, context); };
  });

  DemoOptions demo_options;
  auto* demo_app =
      add_command(app, "demo", "A recorded run through the real daemon, on a private PostgreSQL",
                  "flagman demo");
  demo_app->add_option("RUN", demo_options.run, "A recorded run (default: a built-in one)");
  demo_app->add_flag("--json", demo_options.json,
                     "The lines of `replay --json`; the journal's verification on standard error");
  demo_app->callback([&] {
    command = [&](const CommandContext& context) { return demo(demo_options, context); };
  });

  add_command(app, "migrate", "Brings the database to this version", "flagman migrate")
      ->callback([&] { command = migrate_database; });

  SubmitOptions submit_options;
  auto* submit_app = add_command(app, "submit", "Submits packages; prints each one's number",
                                 "flagman submit package.json --teacher t-17");
  submit_app->add_option("FILE", submit_options.files, "Packages")->required();
  submit_app->add_option("--teacher", submit_options.teacher,
                         "The teacher, where the body has none");
  submit_app->callback([&] {
    command = [&](const CommandContext& context) { return submit(submit_options, context); };
  });

  StatusOptions status_options;
  auto* status_app = add_command(app, "status", "States of packages, or of one with its items",
                                 "flagman status n-nn --json");
  status_app->add_option("PACKAGE", status_options.package, "Its number or the generator's id");
  status_app->add_flag("--json", status_options.json, "One JSON object a line");
  status_app->callback([&] {
    command = [&](const CommandContext& context) { return status(status_options, context); };
  });

  StatusOptions watch_options;
  auto* watch_app =
      add_command(app, "watch", "Live progress until everything is settled", "flagman watch n-nn");
  watch_app->add_option("PACKAGE", watch_options.package, "Its number or the generator's id");
  watch_app->callback([&] {
    command = [&](const CommandContext& context) { return watch(watch_options, context); };
  });

  std::string package;
  auto* result_app = add_command(app, "result", "The finished package in the package format",
                                 "flagman result n-nn > finished.json");
  result_app->add_option("PACKAGE", package, "Its number or the generator's id")->required();
  result_app->callback(
      [&] { command = [&](const CommandContext& context) { return result(package, context); }; });

  auto* cancel_app =
      add_command(app, "cancel", "Stops a package that is not finished", "flagman cancel n-nn");
  cancel_app->add_option("PACKAGE", package, "Its number or the generator's id")->required();
  cancel_app->callback(
      [&] { command = [&](const CommandContext& context) { return cancel(package, context); }; });

  RecordOptions record_options;
  auto* record_app = add_command(app, "record", "Exports packages as a recorded run",
                                 "flagman record n-nn > n-nn.run.jsonl");
  record_app->add_option("PACKAGE", record_options.packages, "Numbers or the generator's ids");
  record_app->add_option("--since", record_options.since,
                         "All that were submitted from this time on (RFC 3339)");
  record_app->callback([&] {
    command = [&](const CommandContext& context) { return record(record_options, context); };
  });

  auto* journal_app =
      add_command(app, "journal", "Reads and verifies the record", "flagman journal verify");
  journal_app->require_subcommand(1);
  auto* show_app = add_command(*journal_app, "show", "A package's entries, one a line",
                               "flagman journal show n-nn > n-nn.journal");
  show_app->add_option("PACKAGE", package, "Its number or the generator's id")->required();
  show_app->callback([&] {
    command = [&](const CommandContext& context) { return journal_show(package, context); };
  });
  JournalOptions journal_options;
  auto* verify_app = add_command(*journal_app, "verify",
                                 "Recomputes every hash, link, commitment and key; exit 1 where "
                                 "one is broken",
                                 "flagman journal verify n-nn");
  verify_app->add_option("PACKAGE", journal_options.packages,
                         "Numbers or the generator's ids (default: all)");
  verify_app->add_option("--file", journal_options.file,
                         "The chain alone, from what `journal show` printed");
  verify_app->callback([&] {
    command = [&](const CommandContext& context) {
      return journal_verify(journal_options, context);
    };
  });

  auto* review_app = add_command(app, "review", "What waits for a person", "flagman review list");
  review_app->require_subcommand(1);
  add_command(*review_app, "list", "Lists it", "flagman review list")->callback([&] {
    command = review_list;
  });
  ReviewOptions review_options;
  auto* resolve_app =
      add_command(*review_app, "resolve", "Decides about one item",
                  "flagman review resolve n-nn:memory/3 --accept --why \"checked by hand\"");
  resolve_app->add_option("ITEM", review_options.item, "PACKAGE:sort/3")->required();
  resolve_app->add_flag("--accept", review_options.accept, "With the author's key");
  resolve_app->add_flag("--reject", review_options.reject, "Not to be played");
  resolve_app->add_flag("--rebuild", review_options.rebuild, "One more round for this item");
  resolve_app->add_option("--why", review_options.why, "The reason, for the record")->required();
  resolve_app->add_option("--who", review_options.who, "Who decides (default: the login name)");
  resolve_app->callback([&] {
    command = [&](const CommandContext& context) {
      return review_resolve(review_options, context);
    };
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
  } catch (const StoreUnavailable& error) {
    err << "flagman: the database went away: " << one_line(error.what()) << ": try again\n";
  } catch (const StoreRefused& error) {
    err << "flagman: the database refuses: " << one_line(error.what()) << '\n';
  } catch (const std::exception& error) {
    err << "flagman: failed: " << one_line(error.what()) << ": please report this\n";
  }
  return exit_unusable;
}

}  // namespace flagman::daemon
