#pragma once
// Structured log lines for operators: time, level, event and named fields, on
// standard error. The journal is the record; this is for people.

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace flagman::daemon {

enum class LogLevel { trace, debug, info, warning, error, off };

/// Lines below `level` are not written. Before the first call nothing but errors is.
void set_log_level(LogLevel level);

/// One line: `2026-01-02T03:04:05.678Z info item_decided package=p-1 item=sort/3`. Values with
/// spaces, quotes or control characters are written as JSON strings.
void log_event(LogLevel level, std::string_view event,
               std::initializer_list<std::pair<std::string_view, std::string>> fields);

}  // namespace flagman::daemon
