#include "daemon/commands/run_file.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "daemon/configuration.h"

namespace flagman::daemon {

RecordedRun open_run(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    throw UsageError{"the run cannot be read: " + path + ": it is a folder, give a file"};
  }
  std::ifstream file{path, std::ios::binary};
  if (!file)
    throw UsageError{"the run cannot be read: " + path + ": " +
                     std::generic_category().message(errno)};
  auto run = read_run(file);
  if (!run) {
    const auto& fault = run.error();
    const auto where = fault.line == 0 ? path : path + " line " + std::to_string(fault.line);
    throw UsageError{"the run is unusable: " + where + ": " + fault.what};
  }
  return std::move(*run);
}

}  // namespace flagman::daemon
