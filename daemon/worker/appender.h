#pragma once
// The one place of a process that writes the record: changes of many packages share a statement.

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "daemon/store/rows.h"
#include "daemon/worker/options.h"
#include "daemon/worker/store_pool.h"

namespace flagman::daemon {

/// Told of each named place in the work at which a process may die: tests end it there.
using CommitPoint = std::function<void(const char* name)>;

class Appender {
 public:
  /// `context` and `stores` must outlive this.
  Appender(boost::asio::io_context& context, StorePool& stores, const WorkerOptions& options,
           CommitPoint commit_point);

  /// Makes a change of a package that `worker` holds true, once, however often the database goes
  /// away meanwhile. Nothing: the package belongs to somebody else now. Throws StoreRefused where
  /// the database refuses this change.
  boost::asio::awaitable<std::optional<Appended>> append(std::string worker, Change change);

  /// Writes until `stop`. What waits then is still tried once.
  boost::asio::awaitable<void> run();
  void stop();

 private:
  struct Waiting {
    std::string worker;
    Change change;
    boost::asio::steady_timer* done = nullptr;
    std::optional<Appended> appended{};
    std::string refusal{};
    bool answered = false;
  };
  using Batch = std::vector<Waiting*>;

  Batch take_batch();
  boost::asio::awaitable<void> write(Batch batch);
  boost::asio::awaitable<bool> try_to_write(const Batch& batch, bool in_doubt);
  boost::asio::awaitable<void> tell(std::vector<Change> changes, std::vector<Appended> made);
  boost::asio::awaitable<void> pause(std::chrono::milliseconds duration);

  boost::asio::io_context& context_;
  StorePool& stores_;
  WorkerOptions options_;
  CommitPoint commit_point_;
  std::deque<Waiting*> waiting_;
  boost::asio::steady_timer more_;
  bool stopping_ = false;
};

}  // namespace flagman::daemon
