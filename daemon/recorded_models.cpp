#include "daemon/recorded_models.h"

namespace flagman::daemon {

std::optional<arbiter::ModelResponse> RecordedModels::ask(const ModelCall& call) {
  const auto found = run_.calls.find(CallName{call.package, call.step, call.call});
  if (found == run_.calls.end()) return std::nullopt;
  return found->second;
}

}  // namespace flagman::daemon
