#pragma once
// The worker: claims packages, carries the state machine's commands out, and makes every event true
// in the database before anything follows from it.

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "daemon/store/rows.h"
#include "daemon/worker/appender.h"
#include "daemon/worker/models.h"
#include "daemon/worker/options.h"
#include "daemon/worker/package_run.h"
#include "daemon/worker/store_pool.h"

namespace flagman::daemon {

struct PackageMailbox;

class Worker {
 public:
  /// `context`, `stores` and `models` must outlive this. One thread runs `context`.
  Worker(boost::asio::io_context& context, StorePool& stores, Models& models, Rules rules,
         WorkerOptions options, CommitPoint commit_point = {});

  /// Works until `stop`: then claims nothing more, journals what came in, gives the rest back and
  /// ends, within seconds. Waits with backoff for a database that is away; one that refuses (the
  /// schema, the role) is waited for too, and logged as an error.
  boost::asio::awaitable<void> run();
  void stop();
  /// There may be something to do: looks at once.
  void wake();

 private:
  boost::asio::awaitable<void> enter(std::string id);
  boost::asio::awaitable<void> live();
  boost::asio::awaitable<void> claim_some();
  boost::asio::awaitable<bool> without_database(boost::asio::awaitable<void> work,
                                                std::chrono::milliseconds& backoff);
  boost::asio::awaitable<void> keep_alive();
  boost::asio::awaitable<void> look_around();
  boost::asio::awaitable<void> drain();
  boost::asio::awaitable<void> work_on(ClaimedPackage claimed);
  boost::asio::awaitable<void> work_through(ClaimedPackage claimed,
                                            std::shared_ptr<PackageMailbox> mailbox);
  boost::asio::awaitable<void> go_on(PackageRun& run, const ClaimedPackage& claimed,
                                     std::string worker, std::shared_ptr<PackageMailbox> mailbox);
  boost::asio::awaitable<void> give_up(std::string worker, ClaimedPackage claimed, bool failed);
  boost::asio::awaitable<Rules> rules_of(const PackageRecord& record);
  boost::asio::awaitable<void> pause(std::chrono::milliseconds duration);
  void ask_all(PackageRun& run, const std::shared_ptr<PackageMailbox>& mailbox);
  void be_dead();
  void set_clock(Time database);
  [[nodiscard]] bool holds_lease(const std::string& worker) const;
  [[nodiscard]] Time now() const;
  void reach(const char* point) const;

  boost::asio::io_context& context_;
  StorePool& stores_;
  Models& models_;
  Rules rules_;
  WorkerOptions options_;
  CommitPoint commit_point_;
  Appender appender_;
  std::string id_;                             // this incarnation; empty before the first
  std::chrono::milliseconds clock_offset_{0};  // the database's clock less ours
  std::chrono::steady_clock::time_point last_beat_{};
  std::chrono::steady_clock::time_point last_full_look_{};
  bool stopping_ = false;
  bool dead_ = false;   // this incarnation was declared dead
  bool woken_ = false;  // since the last look
  int in_flight_ = 0;
  std::int64_t cursor_ = 0;  // the last package claimed
  boost::asio::steady_timer rest_;
  std::map<std::int64_t, std::shared_ptr<PackageMailbox>> mailboxes_;  // by package
  std::map<std::string, Rules> known_rules_;                           // by their digests
};

}  // namespace flagman::daemon
