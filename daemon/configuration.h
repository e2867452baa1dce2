#pragma once
// The configuration: one struct, filled in one place, checked as a whole.

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>

#include "daemon/game_rules.h"
#include "daemon/log.h"
#include "daemon/worker/options.h"

namespace flagman::daemon {

/// An error that ends a command: bad usage or unusable input. `what()` is the one line for people,
/// "what: where: what to do".
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Configuration {
  std::string language = "en";
  GameRules games;  // never without kinds once read
  LogLevel log_level = LogLevel::warning;
  std::string database;  // a libpq connection string; may hold a password
  int connections = 3;
  std::string recorded_answers;                 // a recorded run's path, or empty
  std::chrono::milliseconds recorded_delay{0};  // before each recorded answer
  WorkerOptions worker;
};

/// Every option and its value, one line each, as a start prints it; no secret among them.
[[nodiscard]] std::string describe(const Configuration& configuration);

/// The configuration of `file`; without one that of config/flagman.toml, if that is there, else the
/// built-in defaults. Throws UsageError for a file that cannot be read, is no TOML, or has an
/// option that is unknown or has no such value.
[[nodiscard]] Configuration read_configuration(const std::optional<std::string>& file);

/// The whole file. Throws UsageError where it cannot be read or is larger than `bytes_max`.
[[nodiscard]] std::string read_file(const std::string& path, std::size_t bytes_max);

}  // namespace flagman::daemon
