#include "daemon/store/listener.h"

#include <libpq-fe.h>
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string_view>
#include <utility>

#include "daemon/log.h"

namespace flagman::daemon {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

constexpr auto first_pause = 500ms;
constexpr std::chrono::milliseconds longest_pause = 30s;
constexpr auto probe_every = 15s;
constexpr auto probe_budget = 10s;
constexpr int poll_ms = 250;

using Connection = std::unique_ptr<PGconn, decltype(&::PQfinish)>;

bool execute(PGconn* connection, const char* statement) {
  const std::unique_ptr<PGresult, decltype(&::PQclear)> result{::PQexec(connection, statement),
                                                               &::PQclear};
  return ::PQresultStatus(result.get()) == PGRES_COMMAND_OK;
}

// One connection that listens. It proves itself alive by hearing its own word: a connection whose
// other end is gone looks like one on which nobody speaks.
class Ear {
 public:
  explicit Ear(const std::string& connection_string)
      : connection_{::PQconnectdb(connection_string.c_str()), &::PQfinish} {}

  bool open() {
    return ::PQstatus(connection_.get()) == CONNECTION_OK &&
           execute(connection_.get(), "listen flagman_wake") &&
           execute(connection_.get(), "listen flagman_probe");
  }

  // Waits a moment. False where the connection is of no use any more.
  bool hear(const std::function<void()>& heard) {
    pollfd wait{::PQsocket(connection_.get()), POLLIN, 0};
    ::poll(&wait, 1, poll_ms);
    if (::PQconsumeInput(connection_.get()) != 1) return false;
    bool called = false;
    while (auto* note = ::PQnotifies(connection_.get())) {
      const std::unique_ptr<PGnotify, decltype(&::PQfreemem)> owned{note, &::PQfreemem};
      called = called || std::string_view{note->relname} == "flagman_wake";
      last_heard_ = steady_clock::now();
    }
    if (called) heard();
    return is_alive();
  }

 private:
  bool is_alive() {
    const auto now = steady_clock::now();
    if (now > last_probe_ + probe_every) {
      last_probe_ = now;
      return execute(connection_.get(), "notify flagman_probe");
    }
    return last_heard_ >= last_probe_ || now < last_probe_ + probe_budget;
  }

  Connection connection_;
  steady_clock::time_point last_probe_ = steady_clock::now();
  steady_clock::time_point last_heard_ = steady_clock::now();
};

void rest(const std::stop_token& stop, std::chrono::milliseconds duration) {
  const auto until = steady_clock::now() + duration;
  while (!stop.stop_requested() && steady_clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds{poll_ms});
  }
}

}  // namespace

Listener::Listener(std::string connection_string, std::function<void()> heard)
    : connection_string_(std::move(connection_string)),
      heard_(std::move(heard)),
      thread_([this](const std::stop_token& stop) { listen(stop); }) {}

void Listener::listen(const std::stop_token& stop) {
  std::chrono::milliseconds pause = first_pause;
  while (!stop.stop_requested()) {
    Ear ear{connection_string_};
    if (ear.open()) {
      pause = first_pause;
      heard_();
      while (!stop.stop_requested() && ear.hear(heard_)) {
      }
    }
    if (stop.stop_requested()) return;
    log_event(LogLevel::debug, "not_listening", {{"again_in_ms", std::to_string(pause.count())}});
    rest(stop, pause);
    pause = std::min(pause * 2, longest_pause);
  }
}

}  // namespace flagman::daemon
