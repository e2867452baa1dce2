#pragma once
// Times as the record has them: RFC 3339 in UTC, to the millisecond.

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace flagman::daemon {

using Time = std::chrono::sys_time<std::chrono::milliseconds>;

/// "2026-01-02T03:04:05.678Z"; years 0 to 9999.
[[nodiscard]] std::string to_rfc3339(Time time);

/// Reads exactly that form; nothing where the text is of another.
[[nodiscard]] std::optional<Time> parse_time(std::string_view text);

}  // namespace flagman::daemon
