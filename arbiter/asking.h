#pragma once
// Asks: each step is asked again when its reply is refused or does not come, three times in all.

#include <vector>

#include "arbiter/reply.h"

namespace flagman::arbiter {

/// The asks of one step: how far they are.
struct Asking {
  enum class State { open, answered, failed, not_recorded };
  State state = State::open;
  int call = 1;             // the ask in hand
  bool reply_came = false;  // some ask was answered, though refused
};

/// The ask in hand got this response, which is no answer. True where the step is to be asked once
/// more; else its last ask is spent.
[[nodiscard]] bool ask_again(Asking& asking, const ModelResponse& response);

/// True where one of them is in that state.
[[nodiscard]] bool any_in(const std::vector<Asking>& asking, Asking::State state);

/// True where one failed without a reply to any of its asks.
[[nodiscard]] bool any_failed_unheard(const std::vector<Asking>& asking);

}  // namespace flagman::arbiter
