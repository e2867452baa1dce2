#include "daemon/worker/worker.h"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <deque>
#include <utility>

#include "daemon/log.h"
#include "daemon/worker/random.h"

namespace flagman::daemon {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

// What comes in for one package: answers in the order in which they came, and word of its inbox.
// Shared, because an ask may still be under way when its package has been given up.
struct PackageMailbox {
  explicit PackageMailbox(asio::io_context& context)
      : changed(context, asio::steady_timer::time_point::max()) {}
  void ring() { changed.cancel(); }

  std::deque<std::pair<Ask, arbiter::ModelResponse>> answers;
  bool acts = false;
  int under_way = 0;
  asio::steady_timer changed;
};

namespace {

constexpr auto quiet = asio::as_tuple(asio::use_awaitable);
constexpr int claim_max = 100;
constexpr auto full_look_every = 10s;
constexpr auto drain_budget = 5s;
constexpr milliseconds first_pause = 100ms;
constexpr milliseconds longest_pause = 5'000ms;

void report(const std::exception_ptr& trouble) {
  if (!trouble) return;
  try {
    std::rethrow_exception(trouble);
  } catch (const std::exception& error) {
    log_event(LogLevel::error, "unexpected", {{"what", error.what()}});
  }
}

void log_change(const Change& change, const std::string& name) {
  for (const auto& call : change.calls) {
    log_event(LogLevel::debug, "answered",
              {{"package", name},
               {"step", call.step},
               {"call", std::to_string(call.call)},
               {"status", std::string{name_of(call.response.status)}}});
  }
  for (const auto& item : change.items) {
    log_event(LogLevel::debug, "item",
              {{"package", name},
               {"item", to_text(item.item)},
               {"revision", std::to_string(item.revision)},
               {"outcome", item.outcome},
               {"reasons", item.reasons}});
  }
  if (change.status) {
    log_event(LogLevel::info, "package", {{"package", name}, {"status", *change.status}});
  }
}

// Trouble of a model's is an answer too.
asio::awaitable<void> carry_out(Models& models, Ask ask, std::shared_ptr<PackageMailbox> mailbox) {
  arbiter::ModelResponse response{arbiter::ResponseStatus::error, {}};
  try {
    auto call = ask.call;
    response = co_await models.ask(std::move(call));
  } catch (const std::exception& trouble) {
    log_event(LogLevel::error, "ask_failed",
              {{"package", ask.call.package}, {"step", ask.call.step}, {"what", trouble.what()}});
  }
  --mailbox->under_way;
  mailbox->answers.emplace_back(std::move(ask), std::move(response));
  mailbox->ring();
}

}  // namespace

Worker::Worker(asio::io_context& context, StorePool& stores, Models& models, Rules rules,
               WorkerOptions options, CommitPoint commit_point)
    : context_(context),
      stores_(stores),
      models_(models),
      rules_(std::move(rules)),
      options_(options),
      commit_point_(commit_point),
      appender_(context, stores, options, std::move(commit_point)),
      rest_(context) {}

void Worker::stop() {
  stopping_ = true;
  rest_.cancel();
  for (const auto& [package, mailbox] : mailboxes_) mailbox->ring();
}

void Worker::wake() {
  woken_ = true;
  rest_.cancel();
}

void Worker::be_dead() {
  dead_ = true;
  rest_.cancel();
  for (const auto& [package, mailbox] : mailboxes_) mailbox->ring();
}

void Worker::reach(const char* point) const {
  if (commit_point_) commit_point_(point);
}

asio::awaitable<void> Worker::pause(milliseconds duration) {
  if (stopping_ || dead_ || std::exchange(woken_, false)) co_return;
  rest_.expires_after(duration);
  co_await rest_.async_wait(quiet);
  woken_ = false;
}

Time Worker::now() const {
  return std::chrono::time_point_cast<milliseconds>(std::chrono::system_clock::now()) +
         clock_offset_;
}

void Worker::set_clock(Time database) {
  clock_offset_ =
      database - std::chrono::time_point_cast<milliseconds>(std::chrono::system_clock::now());
}

// The lease as this process can know it: during a partition nobody tells it that it is over.
bool Worker::holds_lease(const std::string& worker) const {
  return worker == id_ && !dead_ && steady_clock::now() < last_beat_ + options_.lease;
}

asio::awaitable<void> Worker::run() {
  asio::co_spawn(context_, appender_.run(), report);
  auto backoff = first_pause;
  while (!stopping_) {
    auto id = random_uuid();
    const bool entered = co_await without_database(enter(std::move(id)), backoff);
    if (!entered) continue;
    backoff = first_pause;
    asio::co_spawn(context_, keep_alive(), report);
    asio::co_spawn(context_, look_around(), report);
    co_await live();
    // Under no name nothing is held, and what belonged to the dead one ends.
    if (std::exchange(dead_, false)) id_.clear();
  }
  co_await drain();
}

// One incarnation: until it stops or is declared dead. A database that is away for a while does not
// end it: the heartbeat says when its lease is over.
asio::awaitable<void> Worker::live() {
  auto backoff = first_pause;
  while (!stopping_ && !dead_) {
    const bool looked = co_await without_database(claim_some(), backoff);
    if (looked) backoff = first_pause;
  }
}

// False where the database was away, after a pause that grows each time.
asio::awaitable<bool> Worker::without_database(asio::awaitable<void> work, milliseconds& backoff) {
  std::string trouble;
  bool refused = false;
  try {
    co_await std::move(work);
    co_return true;
  } catch (const StoreUnavailable& error) {
    trouble = error.what();
  } catch (const StoreRefused& error) {
    trouble = error.what();
    refused = true;
  }
  log_event(refused ? LogLevel::error : LogLevel::warning,
            refused ? "database_refuses" : "database_away",
            {{"what", trouble}, {"again_in_ms", std::to_string(backoff.count())}});
  const auto wait = std::exchange(backoff, std::min(backoff * 2, longest_pause));
  co_await pause(wait);
  co_return false;
}

asio::awaitable<void> Worker::drain() {
  const auto deadline = steady_clock::now() + drain_budget;
  while (in_flight_ > 0 && steady_clock::now() < deadline) {
    asio::steady_timer timer{context_, 10ms};
    co_await timer.async_wait(quiet);
  }
  appender_.stop();
  reach("before_retire");
  if (id_.empty()) co_return;
  auto retire = [id = id_](Store& store) {
    store.retire(id);
    return true;
  };
  try {
    co_await stores_.run(std::move(retire));
  } catch (const std::runtime_error& error) {
    // The lease runs out by itself.
    log_event(LogLevel::warning, "not_retired", {{"what", error.what()}});
  }
  log_event(LogLevel::info, "stopped", {{"worker", id_}});
}

asio::awaitable<void> Worker::enter(std::string id) {
  const auto begun = steady_clock::now();
  auto work = [id, lease = options_.lease, rules = rules_](Store& store) {
    store.keep_setting("policy", rules.policy_written);
    store.keep_setting("games", rules.games.written);
    store.register_worker(id, lease);
    return store.clock();
  };
  const auto clock = co_await stores_.run(std::move(work));
  set_clock(clock);
  id_ = std::move(id);
  last_beat_ = begun;
  dead_ = false;
  cursor_ = 0;
  log_event(LogLevel::info, "registered", {{"worker", id_}});
  reach("registered");
}

// Claims what there is room for; where there was nothing, it rests.
asio::awaitable<void> Worker::claim_some() {
  const int free = std::min(options_.in_flight_max - in_flight_, claim_max);
  if (free <= 0 || !holds_lease(id_)) {
    co_await pause(options_.poll);
    co_return;
  }
  // Late commits may lie behind the cursor: now and then everything is looked at.
  if (steady_clock::now() > last_full_look_ + full_look_every) {
    cursor_ = 0;
    last_full_look_ = steady_clock::now();
  }
  auto claim = [id = id_, free, after = cursor_](Store& store) {
    return store.claim(id, free, after);
  };
  auto claimed = co_await stores_.run(std::move(claim));
  for (auto& package : claimed) {
    cursor_ = std::max(cursor_, package.id);
    ++in_flight_;
    auto work = work_on(std::move(package));
    asio::co_spawn(context_, std::move(work), report);
  }
  if (claimed.empty()) co_await pause(options_.poll);
}

asio::awaitable<void> Worker::keep_alive() {
  const auto id = id_;
  asio::steady_timer timer{context_};
  while (id == id_ && !dead_) {
    timer.expires_after(options_.heartbeat);
    co_await timer.async_wait(quiet);
    if (id != id_ || dead_) co_return;
    const auto begun = steady_clock::now();
    bool alive = true;
    std::string trouble;
    try {
      auto beat = [id](Store& store) { return std::pair{store.heartbeat(id), store.clock()}; };
      const auto [known, clock] = co_await stores_.run(std::move(beat));
      alive = known;
      if (alive && id == id_) {
        last_beat_ = begun;
        set_clock(clock);
      }
    } catch (const std::runtime_error& error) {
      trouble = error.what();
    }
    if (id != id_) co_return;
    if (!trouble.empty()) log_event(LogLevel::warning, "no_heartbeat", {{"what", trouble}});
    if (alive && holds_lease(id)) continue;
    log_event(LogLevel::warning, "lease_lost", {{"worker", id}});
    be_dead();
  }
}

// Looks for silent workers, and for acts about packages whose answers are waited for.
asio::awaitable<void> Worker::look_around() {
  const auto id = id_;
  asio::steady_timer timer{context_};
  auto next_rescue = steady_clock::now() + options_.rescue;
  while (!stopping_ && id == id_ && !dead_) {
    timer.expires_after(std::min(options_.poll, options_.rescue));
    co_await timer.async_wait(quiet);
    if (stopping_ || id != id_ || dead_) co_return;
    const bool rescue = steady_clock::now() >= next_rescue;
    if (rescue) next_rescue = steady_clock::now() + options_.rescue;
    auto look = [id, rescue](Store& store) {
      const int freed = rescue ? store.rescue(milliseconds{0}) : 0;
      return std::pair{freed, store.acts_waiting(id)};
    };
    try {
      const auto [freed, packages] = co_await stores_.run(std::move(look));
      if (freed > 0) log_event(LogLevel::warning, "rescued", {{"packages", std::to_string(freed)}});
      for (const auto package : packages) {
        const auto mailbox = mailboxes_.find(package);
        if (mailbox == mailboxes_.end()) continue;
        mailbox->second->acts = true;
        mailbox->second->ring();
      }
    } catch (const std::runtime_error& error) {
      log_event(LogLevel::debug, "not_looked_around", {{"what", error.what()}});
    }
  }
}

asio::awaitable<void> Worker::work_on(ClaimedPackage claimed) {
  const auto worker = id_;
  const auto number = std::to_string(claimed.id);
  const auto mailbox = std::make_shared<PackageMailbox>(context_);
  mailboxes_[claimed.id] = mailbox;
  bool left = false;
  bool failed = false;
  try {
    auto copy = claimed;
    co_await work_through(std::move(copy), mailbox);
  } catch (const StoreUnavailable& error) {
    // Nothing is lost: what is on record stands.
    log_event(LogLevel::warning, "package_left", {{"package_id", number}, {"what", error.what()}});
    left = true;
  } catch (const std::exception& error) {
    log_event(LogLevel::error, "package_failed", {{"package_id", number}, {"what", error.what()}});
    left = failed = true;
  }
  // A later incarnation may have it by now.
  const auto known = mailboxes_.find(claimed.id);
  if (known != mailboxes_.end() && known->second == mailbox) mailboxes_.erase(known);
  if (left) co_await give_up(worker, std::move(claimed), failed);
  --in_flight_;
}

asio::awaitable<void> Worker::give_up(std::string worker, ClaimedPackage claimed, bool failed) {
  auto work = [worker, id = claimed.id, epoch = claimed.epoch, failed](Store& store) {
    store.give_up(worker, id, epoch, failed);
    return true;
  };
  auto backoff = first_pause;
  while (holds_lease(worker)) {
    try {
      auto again = work;
      co_await stores_.run(std::move(again));
      co_return;
    } catch (const std::runtime_error& error) {
      log_event(LogLevel::warning, "not_given_up", {{"what", error.what()}});
    }
    if (stopping_) co_return;
    asio::steady_timer timer{context_, backoff};
    co_await timer.async_wait(quiet);
    backoff = std::min(backoff * 2, longest_pause);
  }
}

asio::awaitable<Rules> Worker::rules_of(const PackageRecord& record) {
  const auto digests = rule_digests(record);
  if (digests.policy.empty()) co_return rules_;
  const auto known = known_rules_.find(digests.policy + digests.games);
  if (known != known_rules_.end()) co_return known->second;
  auto fetch = [digests](Store& store) {
    return read_rules(store.setting(digests.policy), store.setting(digests.games));
  };
  auto rules = co_await stores_.run(std::move(fetch));
  known_rules_.emplace(digests.policy + digests.games, rules);
  co_return rules;
}

asio::awaitable<void> Worker::work_through(ClaimedPackage claimed,
                                           std::shared_ptr<PackageMailbox> mailbox) {
  reach("claimed");
  const auto worker = id_;
  auto load = [id = claimed.id](Store& store) { return store.load(id); };
  auto record = co_await stores_.run(std::move(load));
  reach("loaded");
  const Writer writer{worker, claimed.epoch};
  if (auto settled = settle_unread(claimed, record, writer, now())) {
    log_event(LogLevel::error, "package_set_aside",
              {{"package", record.name}, {"status", settled->status.value_or("")}});
    co_await appender_.append(worker, std::move(*settled));
    co_return;
  }
  auto rules = co_await rules_of(record);
  PackageRun run{claimed,
                 std::move(record),
                 std::move(rules),
                 writer,
                 [] { return random_bytes(32); },
                 options_.rebuild_wait};
  co_await go_on(run, claimed, worker, std::move(mailbox));
}

void Worker::ask_all(PackageRun& run, const std::shared_ptr<PackageMailbox>& mailbox) {
  for (auto& ask : run.take_asks()) {
    ++mailbox->under_way;
    auto carry = carry_out(models_, std::move(ask), mailbox);
    asio::co_spawn(context_, std::move(carry), report);
  }
}

asio::awaitable<void> Worker::go_on(PackageRun& run, const ClaimedPackage& claimed,
                                    std::string worker, std::shared_ptr<PackageMailbox> mailbox) {
  std::int64_t seen_acts = claimed.inbox_count;
  bool fresh = true;
  while (holds_lease(worker)) {
    std::optional<Change> change;
    if (mailbox->acts) {
      mailbox->acts = false;
      auto reload = [id = claimed.id](Store& store) { return store.load_inbox(id); };
      auto inbox = co_await stores_.run(std::move(reload));
      seen_acts = std::max(seen_acts, static_cast<std::int64_t>(inbox.size()));
      std::erase_if(inbox, [](const InboxRow& row) { return row.taken; });
      run.see_inbox(std::move(inbox), seen_acts);
      fresh = true;
    }
    if (fresh) {
      fresh = false;
      change = run.catch_up(now());
    } else if (!mailbox->answers.empty()) {
      const auto [ask, response] = std::move(mailbox->answers.front());
      mailbox->answers.pop_front();
      reach("answer_came");
      change = run.take_answer(ask, response, now());
    }
    if (change) {
      const bool leaves = change->leave != Leave::stay;
      log_change(*change, run.name());
      const auto appended = co_await appender_.append(worker, std::move(*change));
      if (!appended || leaves) co_return;  // somebody else's now, or done for this time
      if (appended->inbox_count > seen_acts) {
        seen_acts = appended->inbox_count;
        mailbox->acts = true;
        continue;
      }
    }
    if (!stopping_ && holds_lease(worker)) {
      ask_all(run, mailbox);
      reach("asked");
    }
    if (!mailbox->answers.empty() || mailbox->acts) continue;
    if (stopping_ && mailbox->under_way == 0) co_return;  // the rest is given back
    mailbox->changed.expires_at(asio::steady_timer::time_point::max());
    co_await mailbox->changed.async_wait(quiet);
  }
}

}  // namespace flagman::daemon
