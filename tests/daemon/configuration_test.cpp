#include "daemon/configuration.h"

#include <catch2/catch.hpp>
#include <optional>
#include <sstream>
#include <string>

#include "tests/daemon/temporary_file.h"

using namespace flagman::daemon;
using Catch::Matchers::Contains;

TEST_CASE("the documented configuration is the built-in default", "[configuration]") {
  const auto file = read_configuration(std::string{FLAGMAN_SOURCE_DIR} + "/config/flagman.toml");
  Configuration built_in;
  CHECK(file.log_level == built_in.log_level);
  REQUIRE(file.games.kinds);
  CHECK(file.games.kinds->size() == 10);
  built_in.games = file.games;
  CHECK(describe(file) == describe(built_in));
}

TEST_CASE("every option that a start prints is documented, and no secret is printed",
          "[configuration]") {
  Configuration configuration;
  configuration.games = read_configuration(std::nullopt).games;
  configuration.database = "host=db user=checker password=hunter2";
  const auto printed = describe(configuration);
  CHECK(printed.find("hunter2") == std::string::npos);
  CHECK(printed.find("host=db") == std::string::npos);
  const auto documented =
      read_file(std::string{FLAGMAN_SOURCE_DIR} + "/config/flagman.toml", 1U << 20U);
  std::istringstream lines{printed};
  int options = 0;
  for (std::string line; std::getline(lines, line); ++options) {
    const auto name = line.substr(0, line.find(' '));
    const auto dot = name.find('.');
    CAPTURE(name);
    if (dot != std::string::npos) {
      CHECK(documented.find("\n[" + name.substr(0, dot) + "]\n") != std::string::npos);
    }
    CHECK(documented.find("\n" + name.substr(dot + 1) + " = ") != std::string::npos);
  }
  CHECK(options > 10);
}

TEST_CASE("a configuration names its own games, beside it", "[configuration]") {
  const flagman::tests::TemporaryFolder folder;
  folder.write("own.json", R"({"format":"flagman.games/1","kinds":{"coin":
      {"answer":"label","item":{"text":"t","key":"side"},"labels":{"fixed":["heads","tails"]}}}})");
  const auto file = folder.write(
      "flagman.toml", "games = \"own.json\"\nlanguage = \"ru\"\n[log]\nlevel = \"debug\"\n");
  const auto configuration = read_configuration(file);
  CHECK(configuration.language == "ru");
  CHECK(configuration.log_level == LogLevel::debug);
  CHECK(configuration.games.kinds->contains("coin"));
  CHECK_FALSE(configuration.games.kinds->contains("quiz"));
}

TEST_CASE("a wrong configuration is one line that says what and where", "[configuration]") {
  struct Row {
    const char* why;
    std::string text;
    std::string says;
  };
  const auto row = GENERATE(values<Row>({
      {"no TOML", "language = ", "not TOML"},
      {"unknown option", "\n\nlangage = \"en\"", "unknown option «langage»"},
      {"its line", "\n\nlangage = \"en\"", "flagman.toml line 3"},
      {"unknown option of a table", "[log]\nlvel = \"x\"", "unknown option «log.lvel»"},
      {"no such value", "[log]\nlevel = \"loud\"", "there is no log level «loud»"},
      {"out of range", "[worker]\nlease_ms = 5", "option «worker.lease_ms» is out of range"},
      {"no number", "[worker]\npoll_ms = \"1\"", "option «worker.poll_ms» is out of range"},
      {"a lease of one heartbeat", "[worker]\nlease_ms = 600\nheartbeat_ms = 400",
       "more than half of worker.lease_ms"},
      {"too many connections", "[database]\nconnections = 17", "from 1 to 16"},
      {"no string", "[models]\nrecorded = 1", "option «models.recorded» is no string"},
      {"no such language", "language = \"fr\"", "there is no language «fr»"},
      {"wrong type", "language = 3", "is no string"},
      {"no table", "log = 3", "«log» is no table"},
      {"no games", "games = \"none.json\"", "the file cannot be read"},
      {"broken games", "games = \"broken.json\"", "the game kinds cannot be read: not JSON"},
  }));
  CAPTURE(row.why);
  const flagman::tests::TemporaryFolder folder;
  folder.write("broken.json", "{");
  const auto file = folder.write("flagman.toml", row.text);
  try {
    static_cast<void>(read_configuration(file));
    FAIL("was taken");
  } catch (const UsageError& error) {
    CHECK_THAT(error.what(), Contains(row.says));
    CHECK(std::string{error.what()}.find('\n') == std::string::npos);
  }
}
