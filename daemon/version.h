#pragma once
// The version of this program, as recorded runs and `--version` say it.

namespace flagman::daemon {

inline constexpr const char* version = FLAGMAN_VERSION;

}  // namespace flagman::daemon
