#include "daemon/replay.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "daemon/configuration.h"
#include "daemon/recorded_models.h"

using namespace flagman;
using namespace flagman::daemon;

namespace {

RecordedRun load(const std::string& name) {
  std::ifstream file{std::string{FLAGMAN_SOURCE_DIR} + "/tests/data/runs/" + name,
                     std::ios::binary};
  auto run = read_run(file);
  REQUIRE(run);
  return std::move(*run);
}

ReplayedPackage replay_first(const RecordedRun& run) {
  RecordedModels models{run};
  return replay_package(run, run.packages.at(0), read_configuration(std::nullopt).games, models);
}

int count_of(const MemoryJournal& journal, const std::string& kind) {
  int count = 0;
  for (const auto& entry : journal.entries()) {
    count += nlohmann::json::parse(entry.bytes)["kind"] == kind ? 1 : 0;
  }
  return count;
}

}  // namespace

TEST_CASE("a replay's journal is a whole chain and the same each time", "[replay]") {
  const auto run = load("n-nn.run.jsonl");
  const auto once = replay_first(run);
  const auto again = replay_first(run);
  CHECK(check_chain(once.journal.entries(), once.journal.root()).empty());
  CHECK(once.journal.root() == chain_root("n-nn", run.packages[0].body));
  CHECK(once.journal.head() == again.journal.head());
  // Each of the 98 items has a key, and 8 came again; each of these is decided once.
  CHECK(count_of(once.journal, "author_key") == 106);
  CHECK(count_of(once.journal, "item_decided") == 106);
  CHECK(count_of(once.journal, "asked") == count_of(once.journal, "answered"));
  CHECK(count_of(once.journal, "package_decided") == 1);
}

TEST_CASE("no text of the arbiter stands in the journal's record of keys", "[replay]") {
  const auto run = load("n-nn.run.jsonl");
  const auto replayed = replay_first(run);
  const auto* item = find_item(replayed.state, {"sort", 2});
  REQUIRE(item != nullptr);
  REQUIRE(item->keys_written.size() == 2);
  CHECK(item->keys_written[0] == "\"Две НН\"");
}

TEST_CASE("an answer that was never recorded leaves its items not recorded", "[replay]") {
  auto run = load("n-nn.run.jsonl");
  SECTION("of a solver") {
    REQUIRE(run.calls.erase({"n-nn", "solve/methodist/sort@1", 1}) == 1);
    const auto replayed = replay_first(run);
    CHECK(replayed.missing == std::vector<std::string>{"step solve/methodist/sort@1 call 1"});
    for (int i = 0; i < 10; ++i) {
      const auto* item = find_item(replayed.state, {"sort", i});
      CHECK(item->outcome == arbiter::Outcome::not_recorded);
      CHECK_FALSE(item->history.back().route);
    }
    CHECK(find_item(replayed.state, {"quiz", 0})->outcome == arbiter::Outcome::accepted);
  }
  SECTION("of the arbiter, in one order alone") {
    REQUIRE(run.calls.erase({"n-nn", "arbiter/sort/2@1/ba", 1}) == 1);
    const auto replayed = replay_first(run);
    CHECK(find_item(replayed.state, {"sort", 2})->outcome == arbiter::Outcome::not_recorded);
    CHECK(find_item(replayed.state, {"sort", 3})->outcome == arbiter::Outcome::accepted);
  }
  SECTION("a second call without its first") {
    const auto call = run.calls.extract({"n-nn", "solve/methodist/sort@1", 1});
    run.calls.emplace(CallName{"n-nn", "solve/methodist/sort@1", 2}, call.mapped());
    CHECK(replay_first(run).missing.size() == 1);
  }
}

TEST_CASE("a flagged item without a recorded rebuild stays flagged, the others go on", "[replay]") {
  auto run = load("accepted.run.jsonl");
  REQUIRE(run.rebuilds.size() == 1);
  const auto item = std::get<1>(run.rebuilds.begin()->first);
  run.rebuilds.clear();
  const auto replayed = replay_first(run);
  CHECK(find_item(replayed.state, item)->outcome == arbiter::Outcome::flagged);
  CHECK(replayed.state.outcome == arbiter::PackageOutcome::awaiting_rebuild);
}

TEST_CASE("calls that nobody asks for and rebuilds of sound items are ignored", "[replay]") {
  auto run = load("accepted.run.jsonl");
  const auto before = replay_first(run).journal.head();
  run.calls.emplace(CallName{run.packages[0].id, "solve/strict/quiz@7", 1},
                    arbiter::ModelResponse{});
  run.rebuilds.emplace(RevisionName{run.packages[0].id, {"sort", 0}, 2}, R"({"w":"x","key":"y"})");
  CHECK(replay_first(run).journal.head() == before);
}

TEST_CASE("a run that brings its own games is judged by them", "[replay]") {
  RecordedRun run;
  auto games = read_game_rules(R"({"format":"flagman.games/1","kinds":{"coin":
      {"answer":"label","item":{"text":"t","key":"side"},"labels":{"fixed":["heads","tails"]}}}})");
  REQUIRE(games);
  run.games = std::move(*games);
  run.packages.push_back(
      {"p",
       R"({"format":"flagman.package/1","games":{"coin":{"data":[{"t":"up","side":"heads"}]}}})"});
  const std::string reply = R"({"answers":[{"i":0,"w":"up","ok":true,"answer":"heads","why":""}]})";
  for (const auto* solver : {"strict", "methodist"}) {
    run.calls.emplace(CallName{"p", std::string{"solve/"} + solver + "/coin@1", 1},
                      arbiter::ModelResponse{arbiter::ResponseStatus::ok, reply});
  }
  const auto replayed = replay_first(run);
  CHECK(replayed.state.outcome == arbiter::PackageOutcome::accepted);
}
