// What people and programs meet: exit codes, one clear line for each error, no crash on any bytes.

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "daemon/cli.h"
#include "tests/daemon/temporary_file.h"

using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

const std::string source = FLAGMAN_SOURCE_DIR;
const std::string n_nn = source + "/tests/data/runs/n-nn.run.jsonl";

struct Output {
  int exit = -1;
  std::string out, err;
};

Output run_flagman(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "flagman");
  std::vector<const char*> argv;
  for (const auto& argument : arguments) argv.push_back(argument.c_str());
  std::ostringstream out, err;
  const int exit =
      flagman::daemon::run_command_line(static_cast<int>(argv.size()), argv.data(), out, err);
  return {exit, out.str(), err.str()};
}

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

const std::string sound_package =
    R"({"format":"flagman.package/1","games":{"wheel":{"data":["путни..ца","изране..ый"]}}})";

}  // namespace

TEST_CASE("unusable input ends in one clear line and exit 2, or in a finding", "[command]") {
  const flagman::tests::TemporaryFolder folder;
  struct Row {
    const char* why;
    std::string bytes;
    int check_exit;
  };
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += '[';
  const auto row = GENERATE_COPY(values<Row>({
      {"empty file", "", 1},
      {"binary file",
       std::string("\x7F"
                   "ELF\x02\x01\x01\0\0\xFF\xFE",
                   11),
       1},
      {"not JSON", "hello", 1},
      {"JSON of another shape", "[1,2,3]", 1},
      {"JSON of another format", R"({"format":"flagman.games/1"})", 1},
      {"100,000 levels deep", deep, 1},
      {"invalid UTF-8", "{\"format\":\"\xC3\x28\"}", 1},
      {"a lone surrogate", R"({"format":"\ud83d"})", 1},
      {"NUL", std::string("{\"format\":\"a\0b\"}", 16), 1},
      {"two documents parted by a NUL", sound_package + std::string(1, '\0') + sound_package, 1},
      {"duplicate names", R"({"format":"flagman.package/1","format":"flagman.package/1"})", 1},
      {"100 MB", std::string(std::size_t{100} << 20, ' '), 2},
  }));
  CAPTURE(row.why);
  const auto file = folder.write("input", row.bytes);

  const auto checked = run_flagman({"check", file, "--json"});
  CHECK(checked.exit == row.check_exit);
  if (row.check_exit == 1) {
    CHECK(checked.err.empty());
    REQUIRE(lines_of(checked.out) >= 1);
    const auto first = json::parse(checked.out.substr(0, checked.out.find('\n')));
    CHECK(first["severity"] == "reject");
    CHECK(first["item"] == nullptr);
  } else {
    CHECK(checked.out.empty());
    CHECK(lines_of(checked.err) == 1);
  }

  for (const auto* command : {"replay", "explain"}) {
    std::vector<std::string> arguments{command, file};
    if (std::string{command} == "explain") arguments.push_back("sort/0");
    const auto output = run_flagman(arguments);
    CAPTURE(command, output.err);
    CHECK(output.exit == 2);
    CHECK(output.out.empty());
    CHECK(lines_of(output.err) == 1);
    CHECK(output.err.starts_with("flagman: "));
  }
}

TEST_CASE("wrong usage is one line and exit 2", "[command]") {
  const auto arguments = GENERATE(values<std::vector<std::string>>({
      {},
      {"frobnicate"},
      {"check"},
      {"check", "--frob", "x"},
      {"replay"},
      {"explain", "x"},
      {"check", "no/such/file"},
      {"check", "/"},
      {"replay", "no/such/file"},
      {"replay", "/"},
      {"--config", "no/such/file", "check", "x"},
      {"--language", "fr", "check", "x"},
  }));
  const auto output = run_flagman(arguments);
  CAPTURE(output.err);
  CHECK(output.exit == 2);
  CHECK(output.out.empty());
  CHECK(lines_of(output.err) == 1);
  CHECK(output.err.starts_with("flagman: "));
}

TEST_CASE("a cut run is unusable, and nothing of it is printed", "[command]") {
  const flagman::tests::TemporaryFolder folder;
  std::ifstream file{n_nn, std::ios::binary};
  std::string bytes{std::istreambuf_iterator<char>{file}, {}};
  REQUIRE(bytes.size() > 10'000);
  const auto cut = GENERATE(1, 20, 5'000, 10'000);
  const auto path = folder.write(
      "cut.jsonl", std::string_view{bytes}.substr(0, bytes.size() - static_cast<std::size_t>(cut)));
  const auto output = run_flagman({"replay", path, "--json"});
  if (cut == 1) {
    // Only the last line's line feed is gone: the run is whole.
    CHECK(output.exit == 0);
    return;
  }
  CHECK(output.exit == 2);
  CHECK(output.out.empty());
  CHECK(lines_of(output.err) == 1);
}

TEST_CASE("several runs are all done, and the highest exit counts", "[command]") {
  const auto accepted = source + "/tests/data/runs/accepted.run.jsonl";
  const auto both = run_flagman({"replay", n_nn, accepted});
  CHECK(both.exit == 0);
  CHECK_THAT(both.out, Contains("total: 2 packages, 118 items"));
  const auto mixed = run_flagman({"replay", "no/such/file", accepted, "--json"});
  CHECK(mixed.exit == 2);
  CHECK_THAT(mixed.out, Contains(R"("package":"n-nn-small","outcome":"accepted")"));
}

TEST_CASE("a missing answer is named and exits 3", "[command]") {
  const flagman::tests::TemporaryFolder folder;
  std::ifstream file{n_nn, std::ios::binary};
  std::string without;
  for (std::string line; std::getline(file, line);) {
    if (line.find("solve/strict/sort@1") == std::string::npos) without += line + "\n";
  }
  const auto path = folder.write("run.jsonl", without);
  const auto output = run_flagman({"replay", path, "--json", "--diff"});
  CHECK(output.exit == 3);
  CHECK_THAT(output.err, Contains("package n-nn step solve/strict/sort@1 call 1"));
  CHECK_THAT(output.out, Contains(R"("outcome":"not_recorded","route":null)"));
}

TEST_CASE("check tells a sound package from a faulty one", "[command]") {
  const flagman::tests::TemporaryFolder folder;
  const auto sound = folder.write("sound.json", sound_package);
  CHECK(run_flagman({"check", sound}).exit == 0);
  CHECK(run_flagman({"check", sound, "--json"}).out.empty());
  const auto faulty =
      folder.write("faulty.json",
                   R"({"format":"flagman.package/1","games":{"wheel":{"data":["путни..ца",""]}}})");
  const auto output = run_flagman({"check", sound, faulty, "--json"});
  CHECK(output.exit == 1);
  REQUIRE(lines_of(output.out) == 1);
  const json finding = json::parse(output.out);
  CHECK(finding["file"] == faulty);
  CHECK(finding["item"] == "wheel/1");
  CHECK(finding["code"] == "empty_text");
  CHECK(finding["severity"] == "flag");
  CHECK_THAT(finding["detail"].get<std::string>(), Contains("/games/wheel/data/1"));
}

TEST_CASE("explain tells a disputed item's story in both languages", "[command]") {
  const auto english = run_flagman({"explain", n_nn, "sort/2"});
  CHECK(english.exit == 0);
  for (const auto* part :
       {"The author's key: «Две НН»", "The arbiter, order ab, ask 1: «Одна Н»", "пишем «машинный»",
        "the key is not changed", "arbiter_disagrees", "A rebuild was asked: revision 2",
        "Round 2, revision 2", "That key was not the author's."}) {
    CAPTURE(part);
    CHECK_THAT(english.out, Contains(part));
  }
  const auto russian = run_flagman({"--language", "ru", "explain", n_nn, "sort/2@1"});
  CHECK(russian.exit == 0);
  CHECK_THAT(russian.out, Contains("Ключ автора: «Две НН»"));
  CHECK(run_flagman({"explain", n_nn, "sort/99"}).exit == 2);
  CHECK(run_flagman({"explain", n_nn, "sort"}).exit == 2);
}

TEST_CASE("help and version are results", "[command]") {
  CHECK(run_flagman({"--version"}).out == std::string{"flagman "} + FLAGMAN_VERSION + "\n");
  for (const auto* command : {"check", "replay", "explain"}) {
    const auto output = run_flagman({command, "--help"});
    CHECK(output.exit == 0);
    CHECK_THAT(output.out, Contains("Example:"));
    CHECK_THAT(output.out, Contains(std::string{"flagman "} + command));
  }
}
