#include "daemon/worker/models.h"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "daemon/recorded_models.h"

namespace flagman::daemon {

namespace asio = boost::asio;

asio::awaitable<arbiter::ModelResponse> RecordedAnswers::ask(ModelCall call) {
  if (delay_.count() > 0) {
    asio::steady_timer timer{co_await asio::this_coro::executor, delay_};
    co_await timer.async_wait(asio::use_awaitable);
  }
  RecordedModels models{run_};
  auto response = models.ask(call);
  co_return response ? std::move(*response)
                     : arbiter::ModelResponse{arbiter::ResponseStatus::error, {}};
}

}  // namespace flagman::daemon
