#include "arbiter/asking.h"

#include <algorithm>

#include "arbiter/policy.h"

namespace flagman::arbiter {

bool ask_again(Asking& asking, const ModelResponse& response) {
  if (reply_came(response)) asking.reply_came = true;
  if (asking.call >= asks_max) {
    asking.state = Asking::State::failed;
    return false;
  }
  ++asking.call;
  return true;
}

bool any_in(const std::vector<Asking>& asking, Asking::State state) {
  return std::any_of(asking.begin(), asking.end(),
                     [&](const Asking& one) { return one.state == state; });
}

bool any_failed_unheard(const std::vector<Asking>& asking) {
  return std::any_of(asking.begin(), asking.end(), [](const Asking& one) {
    return one.state == Asking::State::failed && !one.reply_came;
  });
}

}  // namespace flagman::arbiter
