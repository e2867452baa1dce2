#include "daemon/configuration.h"

#include <toml++/toml.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
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

void read_log(const std::string& file, const toml::node& node, Configuration& configuration) {
  if (!node.is_table()) refuse(place(file, node), "«log» is no table", "write [log]");
  for (const auto& [name, value] : *node.as_table()) {
    if (name.str() != "level") {
      refuse(place(file, value), "unknown option «log." + std::string{name.str()} + "»",
             "see config/flagman.toml for all options");
    }
    configuration.log_level = read_level(file, value);
  }
}

void read_table(const std::string& file, const toml::table& table, Configuration& configuration) {
  for (const auto& [name, value] : table) {
    if (name.str() == "language") {
      configuration.language = read_string(file, "language", value);
      if (configuration.language != "en" && configuration.language != "ru") {
        refuse(place(file, value), "there is no language «" + configuration.language + "»",
               "use en or ru");
      }
    } else if (name.str() == "games") {
      const auto games = read_string(file, "games", value);
      if (games.empty()) continue;
      const auto path = std::filesystem::path{file}.parent_path() / games;
      configuration.games =
          load_games(read_file(path.string(), configuration_bytes_max), path.string());
    } else if (name.str() == "log") {
      read_log(file, value, configuration);
    } else {
      refuse(place(file, value), "unknown option «" + std::string{name.str()} + "»",
             "see config/flagman.toml for all options");
    }
  }
}

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
      read_table(path, toml::parse(text, path), configuration);
    } catch (const toml::parse_error& error) {
      refuse(path + " line " + std::to_string(error.source().begin.line),
             "not TOML: " + one_line(error.description()), "mend the file");
    }
  }
  if (!configuration.games.kinds)
    configuration.games = load_games(embedded::games_json, "built-in");
  return configuration;
}

}  // namespace flagman::daemon
