#pragma once
// Brings a database to this version: numbered SQL, forward only.

#include <string>

namespace flagman::daemon {

/// The version that this program needs.
[[nodiscard]] int schema_version_wanted();

/// Applies every migration that is missing, each in a transaction of its own, under an advisory
/// lock so that two migrators do not meet. Gives how many were applied. Throws UsageError where the
/// database cannot be reached, refuses, or is newer than this program.
int migrate(const std::string& connection_string);

}  // namespace flagman::daemon
