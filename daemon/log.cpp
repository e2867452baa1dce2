#include "daemon/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

namespace flagman::daemon {
namespace {

spdlog::level::level_enum to_spdlog(LogLevel level) {
  switch (level) {
    case LogLevel::trace:
      return spdlog::level::trace;
    case LogLevel::debug:
      return spdlog::level::debug;
    case LogLevel::info:
      return spdlog::level::info;
    case LogLevel::warning:
      return spdlog::level::warn;
    case LogLevel::error:
      return spdlog::level::err;
    case LogLevel::off:
      break;
  }
  return spdlog::level::off;
}

spdlog::logger& logger() {
  static const auto instance = [] {
    auto made = std::make_shared<spdlog::logger>("flagman",
                                                 std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made->set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %l %v", spdlog::pattern_time_type::utc);
    made->set_level(spdlog::level::err);
    made->flush_on(spdlog::level::warn);
    return made;
  }();
  return *instance;
}

bool is_plain(const std::string& value) {
  return !value.empty() && std::none_of(value.begin(), value.end(), [](unsigned char c) {
    return c <= 0x20 || c == '"' || c == '=' || c == 0x7F;
  });
}

}  // namespace

void set_log_level(LogLevel level) { logger().set_level(to_spdlog(level)); }

void log_event(LogLevel level, std::string_view event,
               std::initializer_list<std::pair<std::string_view, std::string>> fields) {
  auto& out = logger();
  if (!out.should_log(to_spdlog(level))) return;
  std::string line{event};
  for (const auto& [name, value] : fields) {
    line += ' ';
    line += name;
    line += '=';
    using Text = nlohmann::json;
    line +=
        is_plain(value) ? value : Text(value).dump(-1, ' ', false, Text::error_handler_t::replace);
  }
  out.log(to_spdlog(level), line);
}

}  // namespace flagman::daemon
