#pragma once
// Hears when somebody calls flagman.wake(): a connection and a thread of its own.
//
// It only makes work begin sooner; whoever polls is right without it. So trouble here is no error:
// it is dialled again, with a pause that grows.

#include <functional>
#include <stop_token>
#include <string>
#include <thread>

namespace flagman::daemon {

class Listener {
 public:
  /// `heard` is called on the listener's own thread, after each new connection too, since what was
  /// said before it went unheard.
  Listener(std::string connection_string, std::function<void()> heard);
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  /// Ends the thread, within a second but for a dial that is under way.
  ~Listener() = default;

 private:
  void listen(const std::stop_token& stop);

  std::string connection_string_;
  std::function<void()> heard_;
  std::jthread thread_;
};

}  // namespace flagman::daemon
