#include "daemon/configuration.h"

#include <toml++/toml.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <system_error>
#include <utility>

#include "daemon/embedded.h"

namespace flagman::daemon {
namespace {

constexpr std::size_t configuration_bytes_max = std::size_t{1} << 20;
constexpr const char* default_file = "config/flagman.toml";

[[noreturn]] void refuse(const std::string& file, const std::string& what,
                         const std::string& remedy) {
  throw UsageError{what + ": " + file + ": " + remedy};
}

std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) line += c == '\n' ? ' ' : c;
  return line;
}

std::string place(const std::string& file, const toml::node& node) {
  return file + " line " + std::to_string(node.source().begin.line);
}

std::string read_string(const std::string& file, std::string_view name, const toml::node& node) {
  if (!node.is_string()) {
    refuse(place(file, node), "option «" + std::string{name} + "» is no string",
           "give it in quotes");
  }
  return node.as_string()->get();
}

LogLevel read_level(const std::string& file, const toml::node& node) {
  constexpr std::array levels{
      std::pair{"trace", LogLevel::trace}, std::pair{"debug", LogLevel::debug},
      std::pair{"info", LogLevel::info},   std::pair{"warning", LogLevel::warning},
      std::pair{"error", LogLevel::error}, std::pair{"off", LogLevel::off}};
  const auto name = read_string(file, "log.level", node);
  for (const auto& [known, level] : levels) {
    if (name == known) return level;
  }
  refuse(place(file, node), "there is no log level «" + name + "»",
         "use trace, debug, info, warning, error or off");
}

GameRules load_games(std::string_view text, const std::string& file) {
  auto games = read_game_rules(text);
  if (!games) refuse(file, "the game kinds cannot be read: " + games.error(), "mend the file");
  return std::move(*games);
}

// The table's options, each read by the function of its name.
using Reader = std::function<void(const std::string& name, const toml::node& value)>;

void read_options(const std::string& file, const std::string& prefix, const toml::table& table,
                  const std::map<std::string, Reader, std::less<>>& known) {
  for (const auto& [key, value] : table) {
    const auto name = prefix + std::string{key.str()};
    const auto reader = known.find(std::string_view{key.str()});
    if (reader == known.end()) {
      refuse(place(file, value), "unknown option «" + name + "»",
             "see config/flagman.toml for all options");
    }
    reader->second(name, value);
  }
}

void read_nested(const std::string& file, const std::string& name, const toml::node& value,
                 const std::map<std::string, Reader, std::less<>>& known) {
  if (!value.is_table()) {
    refuse(place(file, value), "«" + name + "» is no table", "write [" + name + "]");
  }
  read_options(file, name + ".", *value.as_table(), known);
}

int read_whole(const std::string& file, const std::string& name, const toml::node& value, int least,
               int most) {
  const auto* number = value.as_integer();
  if (number == nullptr || number->get() < least || number->get() > most) {
    refuse(place(file, value), "option «" + name + "» is out of range",
           "use a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  }
  return static_cast<int>(number->get());
}

class TableReader {
 public:
  TableReader(std::string file, Configuration& configuration)
      : file_(std::move(file)), configuration_(configuration) {}

  void read(const toml::table& table) {
    read_options(
        file_, "", table,
        {{"language", [this](auto& name, auto& value) { read_language(name, value); }},
         {"games", [this](auto& name, auto& value) { read_games(name, value); }},
         {"log", nested({{"level",
                          [this](auto&, auto& value) {
                            configuration_.log_level = read_level(file_, value);
                          }}})},
         {"database", nested({{"connection", text(configuration_.database)},
                              {"connections", whole(configuration_.connections, 1, 16)}})},
         {"models", nested({{"recorded", path(configuration_.recorded_answers)},
                            {"recorded_delay_ms", duration(configuration_.recorded_delay, 0)}})},
         {"worker", worker()}});
    check_whole();
  }

 private:
  Reader nested(std::map<std::string, Reader, std::less<>> known) {
    return [this, known = std::move(known)](auto& name, auto& value) {
      read_nested(file_, name, value, known);
    };
  }

  Reader text(std::string& target) {
    return [this, &target](auto& name, auto& value) { target = read_string(file_, name, value); };
  }

  // A relative name begins at the configuration's own folder.
  Reader path(std::string& target) {
    return [this, &target](auto& name, auto& value) {
      const auto given = read_string(file_, name, value);
      target =
          given.empty() ? given : (std::filesystem::path{file_}.parent_path() / given).string();
    };
  }

  Reader whole(int& target, int least, int most) {
    return [this, &target, least, most](auto& name, auto& value) {
      target = read_whole(file_, name, value, least, most);
    };
  }

  Reader duration(std::chrono::milliseconds& target, int least) {
    return [this, &target, least](auto& name, auto& value) {
      constexpr int day_ms = 86'400'000;
      target = std::chrono::milliseconds{read_whole(file_, name, value, least, day_ms)};
    };
  }

  Reader seconds(std::chrono::milliseconds& target) {
    return [this, &target](auto& name, auto& value) {
      constexpr int year_s = 365 * 86'400;
      target = std::chrono::seconds{read_whole(file_, name, value, 1, year_s)};
    };
  }

  Reader worker() {
    auto& options = configuration_.worker;
    return nested({{"lease_ms", duration(options.lease, 100)},
                   {"heartbeat_ms", duration(options.heartbeat, 10)},
                   {"poll_ms", duration(options.poll, 10)},
                   {"rescue_ms", duration(options.rescue, 10)},
                   {"batch_ms", duration(options.batch, 0)},
                   {"rebuild_wait_s", seconds(options.rebuild_wait)},
                   {"batch_max", whole(options.batch_max, 1, 10'000)},
                   {"in_flight_max", whole(options.in_flight_max, 1, 100'000)}});
  }

  void read_language(const std::string& name, const toml::node& value) {
    configuration_.language = read_string(file_, name, value);
    if (configuration_.language != "en" && configuration_.language != "ru") {
      refuse(place(file_, value), "there is no language «" + configuration_.language + "»",
             "use en or ru");
    }
  }

  void read_games(const std::string& name, const toml::node& value) {
    const auto games = read_string(file_, name, value);
    if (games.empty()) return;
    const auto path = (std::filesystem::path{file_}.parent_path() / games).string();
    configuration_.games = load_games(read_file(path, configuration_bytes_max), path);
  }

  void check_whole() const {
    if (configuration_.worker.heartbeat * 2 > configuration_.worker.lease) {
      refuse(file_, "worker.heartbeat_ms is more than half of worker.lease_ms",
             "one lost heartbeat would cost the lease: lengthen the lease");
    }
  }

  std::string file_;
  Configuration& configuration_;
};

}  // namespace

std::string read_file(const std::string& path, std::size_t bytes_max) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    refuse(path, "the file cannot be read", "it is a folder, give a file");
  }
  std::ifstream file{path, std::ios::binary};
  if (!file) refuse(path, "the file cannot be read", std::generic_category().message(errno));
  std::string bytes;
  std::array<char, 65536> block{};
  while (file) {
    file.read(block.data(), block.size());
    bytes.append(block.data(), static_cast<std::size_t>(file.gcount()));
    if (bytes.size() > bytes_max) {
      refuse(path, "the file is too large",
             "at most " + std::to_string(bytes_max >> 20U) + " MiB are read");
    }
  }
  if (file.bad()) refuse(path, "the file cannot be read", std::generic_category().message(errno));
  return bytes;
}

Configuration read_configuration(const std::optional<std::string>& file) {
  Configuration configuration;
  const auto path = file.value_or(default_file);
  if (file || std::filesystem::exists(path)) {
    const auto text = read_file(path, configuration_bytes_max);
    try {
      TableReader{path, configuration}.read(toml::parse(text, path));
    } catch (const toml::parse_error& error) {
      refuse(path + " line " + std::to_string(error.source().begin.line),
             "not TOML: " + one_line(error.description()), "mend the file");
    }
  }
  if (!configuration.games.kinds)
    configuration.games = load_games(embedded::games_json, "built-in");
  return configuration;
}

std::string describe(const Configuration& configuration) {
  const auto& worker = configuration.worker;
  const auto line = [](const std::string& name, const std::string& value) {
    return name + " = " + value + "\n";
  };
  return line("language", configuration.language) +
         line("games", std::to_string(configuration.games.kinds->size()) + " kinds") +
         line("database.connection", configuration.database.empty() ? "(environment)" : "(given)") +
         line("database.connections", std::to_string(configuration.connections)) +
         line("models.recorded", configuration.recorded_answers) +
         line("models.recorded_delay_ms", std::to_string(configuration.recorded_delay.count())) +
         line("worker.lease_ms", std::to_string(worker.lease.count())) +
         line("worker.heartbeat_ms", std::to_string(worker.heartbeat.count())) +
         line("worker.poll_ms", std::to_string(worker.poll.count())) +
         line("worker.rescue_ms", std::to_string(worker.rescue.count())) +
         line("worker.batch_ms", std::to_string(worker.batch.count())) +
         line("worker.rebuild_wait_s", std::to_string(worker.rebuild_wait.count() / 1000)) +
         line("worker.batch_max", std::to_string(worker.batch_max)) +
         line("worker.in_flight_max", std::to_string(worker.in_flight_max));
}

}  // namespace flagman::daemon
