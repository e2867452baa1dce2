#include "daemon/commands/serve.h"

#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "daemon/commands/run_file.h"
#include "daemon/log.h"
#include "daemon/postgres/private_cluster.h"
#include "daemon/store/listener.h"
#include "daemon/store/migrator.h"
#include "daemon/worker/worker.h"

namespace flagman::daemon {
namespace {

namespace asio = boost::asio;

// FLAGMAN_DIE_AT=name:n ends the process as kill -9 would when it reaches that commit point for the
// n-th time: how tests show that nothing is lost there.
CommitPoint commit_point_of_environment() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody changes the environment
  const char* value = std::getenv("FLAGMAN_DIE_AT");
  if (value == nullptr) return {};
  const std::string_view wanted{value};
  const auto colon = wanted.find(':');
  int times = 1;
  if (colon != std::string_view::npos) {
    const auto number = wanted.substr(colon + 1);
    const auto [end, error] = std::from_chars(number.begin(), number.end(), times);
    if (error != std::errc{} || end != number.end()) {
      throw UsageError{"not of the form name:number: FLAGMAN_DIE_AT: unset it"};
    }
  }
  return [name = std::string{wanted.substr(0, colon)}, left = times](const char* point) mutable {
    if (name == point && --left == 0) ::kill(::getpid(), SIGKILL);
  };
}

// What can never become right by waiting is told while somebody looks.
void check_database(const std::string& database) {
  try {
    const Store store{database};
  } catch (const StoreRefused& refusal) {
    throw UsageError{"the database cannot be used: " + std::string{refusal.what()}};
  } catch (const StoreUnavailable& trouble) {
    log_event(LogLevel::warning, "database_away", {{"what", trouble.what()}});
  }
}

// `signals` belong to `loop`.
void work_until_stopped(asio::io_context& loop, asio::signal_set& signals,
                        const std::string& database, const Configuration& configuration,
                        Models& models, Rules rules) {
  StorePool stores{database, configuration.connections};
  Worker worker{
      loop, stores, models, std::move(rules), configuration.worker, commit_point_of_environment()};
  signals.async_wait([&](const boost::system::error_code& error, int) {
    if (!error) worker.stop();
  });
  std::exception_ptr trouble;
  asio::co_spawn(loop, worker.run(), [&](const std::exception_ptr& ended) {
    trouble = ended;
    loop.stop();
  });
  {
    const Listener listener{database, [&] { asio::post(loop, [&] { worker.wake(); }); }};
    loop.run();
  }
  stores.join();
  if (trouble) std::rethrow_exception(trouble);
}

}  // namespace

int serve(const ServeOptions& options, const CommandContext& context) {
  const auto& configuration = context.configuration;
  if (configuration.recorded_answers.empty()) {
    throw UsageError{
        "no models are configured: [models] recorded: name a recorded run whose answers to give"};
  }
  // From here on a signal waits until the worker can heed it.
  asio::io_context loop{1};
  asio::signal_set signals{loop, SIGTERM, SIGINT};
  auto run = open_run(configuration.recorded_answers);
  auto rules = make_rules(run.policy, run.games.kinds ? run.games : configuration.games);
  RecordedAnswers models{std::move(run), configuration.recorded_delay};
  std::unique_ptr<PrivateCluster> cluster;
  std::string database = configuration.database;
  if (options.embedded) {
    cluster = std::make_unique<PrivateCluster>(*options.embedded);
    database = cluster->connection_string();
    migrate(database);
  }
  context.err << describe(configuration) << std::flush;
  check_database(database);
  work_until_stopped(loop, signals, database, configuration, models, std::move(rules));
  return exit_ok;
}

}  // namespace flagman::daemon
