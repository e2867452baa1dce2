#include "daemon/commands/demo.h"

#include <unistd.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <csignal>
#include <filesystem>
#include <set>
#include <sstream>

#include "daemon/commands/journal.h"
#include "daemon/commands/progress.h"
#include "daemon/commands/report.h"
#include "daemon/commands/run_file.h"
#include "daemon/embedded.h"
#include "daemon/postgres/private_cluster.h"
#include "daemon/store/migrator.h"
#include "daemon/worker/worker.h"

namespace flagman::daemon {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using std::chrono::milliseconds;

constexpr milliseconds look_every = 20ms;

bool is_settled(const Store::StatusRow& package) {
  return package.status != "queued" && package.status != "running" &&
         package.status != "awaiting_rebuild";
}

// A generator as the demo needs one: reads the open rebuilds and delivers what the run has for
// them.
class DemoGenerator {
 public:
  DemoGenerator(asio::io_context& loop, StorePool& stores, const RecordedRun& run,
                Progress& progress)
      : loop_(loop), stores_(stores), run_(run), progress_(progress) {}

  /// Ends when every package is settled, or waits for a revision that the run does not have.
  asio::awaitable<void> run() {
    asio::steady_timer timer{loop_};
    while (!stopping_) {
      auto look = [](Store& store) {
        return std::pair{store.statuses(std::nullopt), store.open_rebuilds()};
      };
      const auto [packages, rebuilds] = co_await stores_.run(std::move(look));
      show(packages);
      bool delivered = false;
      for (const auto& rebuild : rebuilds) {
        const auto* text = recorded(rebuild);
        if (text == nullptr) continue;
        auto deliver = [id = rebuild.id, text](Store& store) {
          store.deliver_rebuild(id, *text);
          return true;
        };
        co_await stores_.run(std::move(deliver));
        delivered = true;
      }
      // A delivery still waits to be taken while its package awaits more rebuilds than are open.
      const bool over = std::all_of(packages.begin(), packages.end(), [&](const auto& package) {
        return is_settled(package) || (package.status == "awaiting_rebuild" &&
                                       open_for(rebuilds, package.name) == package.flagged);
      });
      if (over && !delivered) co_return;
      timer.expires_after(look_every);
      co_await timer.async_wait(asio::use_awaitable);
    }
  }

  void stop() { stopping_ = true; }

 private:
  [[nodiscard]] const std::string* recorded(const Store::OpenRebuild& rebuild) const {
    const auto item = validators::parse_item_name(rebuild.item);
    const auto found = run_.rebuilds.find(RevisionName{rebuild.package, *item, rebuild.revision});
    return found == run_.rebuilds.end() ? nullptr : &found->second;
  }

  static int open_for(const std::vector<Store::OpenRebuild>& rebuilds, const std::string& package) {
    return static_cast<int>(
        std::count_if(rebuilds.begin(), rebuilds.end(),
                      [&](const auto& rebuild) { return rebuild.package == package; }));
  }

  void show(const std::vector<Store::StatusRow>& packages) {
    int items = 0;
    int open = 0;
    for (const auto& package : packages) {
      items += package.items;
      open += package.open + package.flagged;
    }
    progress_.show(std::to_string(items - open) + " of " + std::to_string(items) +
                   " items settled");
  }

  asio::io_context& loop_;
  StorePool& stores_;
  const RecordedRun& run_;
  Progress& progress_;
  bool stopping_ = false;
};

std::filesystem::path make_folder() {
  auto pattern = (std::filesystem::temp_directory_path() / "flagman-demo-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw UsageError{"no folder for the demo: " + pattern +
                     ": is there room in the temporary folder?"};
  }
  return pattern;
}

struct Folder {
  std::filesystem::path path = make_folder();
  Folder() = default;
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;  // what stays behind lies in the temporary folder
    std::filesystem::remove_all(path, ignored);
  }
};

RecordedRun demo_run(const std::string& file) {
  if (!file.empty()) return open_run(file);
  std::istringstream text{std::string{embedded::demo_run}};
  auto run = read_run(text);
  if (!run) throw std::runtime_error{"the built-in run cannot be read: " + run.error().what};
  return std::move(*run);
}

std::string as_role(const std::string& connection_string, const char* role) {
  return connection_string + " options='-c role=" + role + "'";
}

// Every package through the worker; true where nobody interrupted. `signals` belong to `loop`.
bool push_through(asio::io_context& loop, asio::signal_set& signals, const std::string& database,
                  const RecordedRun& run, const Rules& rules, const CommandContext& context) {
  RecordedAnswers models{run};
  StorePool worker_stores{as_role(database, "flagman_worker"), context.configuration.connections};
  StorePool generator_stores{as_role(database, "flagman_generator"), 1};
  auto options = context.configuration.worker;
  options.poll = std::min(options.poll, look_every);
  Worker worker{loop, worker_stores, models, rules, options};
  Progress progress{context.err};
  DemoGenerator generator{loop, generator_stores, run, progress};
  bool interrupted = false;
  std::exception_ptr trouble;
  signals.async_wait([&](const boost::system::error_code& error, int) {
    if (error) return;
    interrupted = true;
    generator.stop();
  });
  asio::co_spawn(loop, generator.run(), [&](const std::exception_ptr& ended) {
    trouble = ended;
    worker.stop();
  });
  asio::co_spawn(loop, worker.run(), [&](const std::exception_ptr& ended) {
    if (!trouble) trouble = ended;
    loop.stop();
  });
  loop.run();
  worker_stores.join();
  generator_stores.join();
  if (trouble) std::rethrow_exception(trouble);
  return !interrupted;
}

}  // namespace

int demo(const DemoOptions& options, const CommandContext& context) {
  // From here on a signal waits until it can be heeded, so that nothing is left behind.
  asio::io_context loop{1};
  asio::signal_set signals{loop, SIGTERM, SIGINT};
  auto run = demo_run(options.run);
  const auto rules =
      make_rules(run.policy, run.games.kinds ? run.games : context.configuration.games);
  const Folder folder;
  const PrivateCluster cluster{folder.path};
  const auto owner = cluster.connection_string();
  migrate(owner);
  {
    Store store{as_role(owner, "flagman_generator")};
    for (const auto& package : run.packages) {
      static_cast<void>(store.submit(package.body, std::nullopt));
    }
  }
  if (!push_through(loop, signals, owner, run, rules, context)) {
    throw UsageError{"interrupted: demo: nothing is left of it"};
  }

  Store store{as_role(owner, "flagman_auditor")};
  Totals totals;
  for (const auto id : store.packages(std::nullopt)) {
    const auto state = fold_record(store.load(id), rules);
    if (options.json) {
      print_json(state, context.out);
      continue;
    }
    const auto status = store.statuses(id).front();
    context.out << "package " << status.name << ": "
                << context.language.say("outcomes", status.status) << '\n';
    print_items(state, context);
    totals.add(state);
  }
  if (!options.json) print_text(totals, context);
  return verify_packages(store, store.packages(std::nullopt),
                         {context.configuration, context.language,
                          options.json ? context.err : context.out, context.err});
}

}  // namespace flagman::daemon
