#pragma once
// Models as the worker asks them: without blocking, with an answer each time.

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <string>

#include "arbiter/reply.h"
#include "daemon/model_port.h"
#include "daemon/recorded_run.h"

namespace flagman::daemon {

class Models {
 public:
  Models() = default;
  Models(const Models&) = delete;
  Models& operator=(const Models&) = delete;
  virtual ~Models() = default;

  /// Asks once. Trouble is an answer too: a status without a reply.
  [[nodiscard]] virtual boost::asio::awaitable<arbiter::ModelResponse> ask(ModelCall call) = 0;
};

/// The answers of a recorded run, each after `delay`. An ask that the run has no answer for gets
/// the status `error`.
class RecordedAnswers final : public Models {
 public:
  explicit RecordedAnswers(RecordedRun run, std::chrono::milliseconds delay = {})
      : run_(std::move(run)), delay_(delay) {}
  [[nodiscard]] boost::asio::awaitable<arbiter::ModelResponse> ask(ModelCall call) override;

 private:
  RecordedRun run_;
  std::chrono::milliseconds delay_;
};

}  // namespace flagman::daemon
