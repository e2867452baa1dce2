#include "arbiter/step.h"

namespace flagman::arbiter {

std::string to_text(const SolveStep& step) {
  std::string text = "solve/" + step.solver + "/" + step.kind + "@" + std::to_string(step.round);
  if (step.sheet > 1) text += "#" + std::to_string(step.sheet);
  return text;
}

std::string to_text(const HearingStep& step) {
  return "arbiter/" + to_text(step.item) + "@" + std::to_string(step.round) +
         (step.order == Order::ab ? "/ab" : "/ba");
}

}  // namespace flagman::arbiter
