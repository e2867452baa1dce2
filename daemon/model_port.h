#pragma once
// The port through which models are asked: one ask of one step in, what came
// back out. Recorded answers are one implementation; providers are another.

#include <optional>
#include <string>

#include "arbiter/reply.h"

namespace flagman::daemon {

/// One ask. `step` and `call` name it in every record; `question` is what the model is shown.
struct ModelCall {
  std::string package;
  std::string step;
  int call = 1;
  std::string question;  // the sheet or the hearing's question, one line of JSON
};

class ModelPort {
 public:
  ModelPort() = default;
  ModelPort(const ModelPort&) = delete;
  ModelPort& operator=(const ModelPort&) = delete;
  virtual ~ModelPort() = default;

  /// What came back; nothing where no answer can ever come (a run that has none).
  [[nodiscard]] virtual std::optional<arbiter::ModelResponse> ask(const ModelCall& call) = 0;
};

}  // namespace flagman::daemon
