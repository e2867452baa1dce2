#include "daemon/worker/appender.h"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "daemon/log.h"

namespace flagman::daemon {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using std::chrono::milliseconds;

constexpr auto quiet = asio::as_tuple(asio::use_awaitable);
constexpr milliseconds first_pause = 50ms;
constexpr milliseconds longest_pause = 2'000ms;

// Writes what is not made yet; of changes in doubt it looks first which had been made.
std::vector<Appended> write_missing(Store& store, const std::string& worker,
                                    std::vector<Change> changes, bool in_doubt) {
  std::vector<Appended> all;
  if (in_doubt) {
    const auto known = store.committed(changes);
    for (const auto package : known) all.push_back({package, 0});
    std::erase_if(changes, [&](const Change& change) {
      return std::find(known.begin(), known.end(), change.package) != known.end();
    });
  }
  if (changes.empty()) return all;
  const auto rest = store.append(worker, changes);
  all.insert(all.end(), rest.begin(), rest.end());
  return all;
}

}  // namespace

Appender::Appender(asio::io_context& context, StorePool& stores, const WorkerOptions& options,
                   CommitPoint commit_point)
    : context_(context),
      stores_(stores),
      options_(options),
      commit_point_(std::move(commit_point)),
      more_(context) {}

asio::awaitable<std::optional<Appended>> Appender::append(std::string worker, Change change) {
  asio::steady_timer done{context_, asio::steady_timer::time_point::max()};
  Waiting waiting{std::move(worker), std::move(change), &done};
  waiting_.push_back(&waiting);
  more_.cancel();
  while (!waiting.answered) co_await done.async_wait(quiet);
  if (!waiting.refusal.empty()) throw StoreRefused{waiting.refusal};
  co_return waiting.appended;
}

void Appender::stop() {
  stopping_ = true;
  more_.cancel();
}

asio::awaitable<void> Appender::pause(milliseconds duration) {
  asio::steady_timer timer{context_, duration};
  co_await timer.async_wait(quiet);
}

asio::awaitable<void> Appender::run() {
  while (!stopping_ || !waiting_.empty()) {
    if (waiting_.empty()) {
      more_.expires_at(asio::steady_timer::time_point::max());
      co_await more_.async_wait(quiet);
      continue;
    }
    co_await pause(options_.batch);
    auto batch = take_batch();
    co_await write(std::move(batch));
  }
}

// Changes of one incarnation: a fence names one worker.
Appender::Batch Appender::take_batch() {
  Batch batch;
  const auto worker = waiting_.front()->worker;
  int events = 0;
  while (!waiting_.empty() && events < options_.batch_max && waiting_.front()->worker == worker) {
    events += static_cast<int>(waiting_.front()->change.entries.size());
    batch.push_back(waiting_.front());
    waiting_.pop_front();
  }
  return batch;
}

asio::awaitable<void> Appender::write(Batch batch) {
  if (commit_point_) commit_point_("before_append");
  auto backoff = first_pause;
  bool in_doubt = false;
  for (;;) {
    bool written = false;
    std::string trouble;
    std::string refusal;
    try {
      written = co_await try_to_write(batch, in_doubt);
    } catch (const StoreUnavailable& error) {
      trouble = error.what();
    } catch (const StoreRefused& error) {
      refusal = error.what();
    }
    if (written) break;
    if (!refusal.empty()) {
      log_event(LogLevel::error, "append_refused",
                {{"packages", std::to_string(batch.size())}, {"what", refusal}});
      if (batch.size() == 1) {
        batch.front()->refusal = refusal;
        break;
      }
      // One of them is at fault, and the others are not to suffer for it.
      for (auto* waiting : batch) {
        Batch alone{waiting};
        co_await write(std::move(alone));
      }
      co_return;
    }
    log_event(LogLevel::warning, "append_failed", {{"what", trouble}});
    if (stopping_ && backoff > first_pause * 4) break;
    in_doubt = true;
    co_await pause(backoff);
    backoff = std::min(backoff * 2, longest_pause);
  }
  if (commit_point_) commit_point_("after_append");
  for (auto* waiting : batch) {
    waiting->answered = true;
    waiting->done->cancel();
  }
}

asio::awaitable<bool> Appender::try_to_write(const Batch& batch, bool in_doubt) {
  std::vector<Change> changes;
  changes.reserve(batch.size());
  for (const auto* waiting : batch) changes.push_back(waiting->change);
  auto work = [worker = batch.front()->worker, changes, in_doubt](Store& store) {
    return write_missing(store, worker, changes, in_doubt);
  };
  const auto made = co_await stores_.run(std::move(work));
  for (auto* waiting : batch) {
    for (const auto& one : made) {
      if (one.package == waiting->change.package) waiting->appended = one;
    }
  }
  if (commit_point_) commit_point_("before_tell");
  auto told = made;
  co_await tell(std::move(changes), std::move(told));
  co_return true;
}

asio::awaitable<void> Appender::tell(std::vector<Change> changes, std::vector<Appended> made) {
  const bool any = std::any_of(changes.begin(), changes.end(), [](const Change& change) {
    return change.status || !change.rebuilds.empty();
  });
  if (!any) co_return;
  auto work = [changes = std::move(changes), made = std::move(made)](Store& store) {
    store.tell(changes, made);
    return true;
  };
  try {
    co_await stores_.run(std::move(work));
  } catch (const std::runtime_error& error) {
    // Who listens looks by itself too, only later.
    log_event(LogLevel::warning, "not_told", {{"what", error.what()}});
  }
}

}  // namespace flagman::daemon
