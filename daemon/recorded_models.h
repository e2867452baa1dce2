#pragma once
// Recorded answers behind the port that models are asked through: matched by
// package, step and number of the ask. Nothing is asked anywhere.

#include "daemon/model_port.h"
#include "daemon/recorded_run.h"

namespace flagman::daemon {

class RecordedModels final : public ModelPort {
 public:
  /// `run` must outlive this.
  explicit RecordedModels(const RecordedRun& run) : run_(run) {}

  /// The recorded answer; nothing where the run has none for this ask. Each ask has an answer of
  /// its own: an equal question never gets another ask's answer.
  [[nodiscard]] std::optional<arbiter::ModelResponse> ask(const ModelCall& call) override;

 private:
  const RecordedRun& run_;
};

}  // namespace flagman::daemon
