// Any bytes are a recorded run that replays, or unusable with one line of reason.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "daemon/configuration.h"
#include "daemon/recorded_models.h"
#include "daemon/replay.h"

using namespace flagman::daemon;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto games =
      read_configuration(std::string{FLAGMAN_SOURCE_DIR} + "/config/flagman.toml").games;
  std::istringstream file{std::string{reinterpret_cast<const char*>(data), size}};
  const auto run = read_run(file);
  if (!run) {
    if (run.error().what.empty() || run.error().what.find('\n') != std::string::npos) std::abort();
    return 0;
  }
  RecordedModels models{*run};
  for (const auto& package : run->packages) {
    const auto replayed = replay_package(*run, package, games, models);
    if (!replayed.state.outcome) std::abort();
    if (!check_chain(replayed.journal.entries(), replayed.journal.root()).empty()) std::abort();
  }
  return 0;
}
