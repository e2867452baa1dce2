// The recorded run after the generator whose failure started this project: each of its cases must
// come out as it should have then.

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "daemon/cli.h"
#include "daemon/configuration.h"
#include "daemon/recorded_models.h"
#include "daemon/replay.h"

using namespace flagman;
using namespace flagman::daemon;
using nlohmann::json;

namespace {

const std::string runs = std::string{FLAGMAN_SOURCE_DIR} + "/tests/data/runs/";

RecordedRun load(const std::string& name) {
  std::ifstream file{runs + name, std::ios::binary};
  auto run = read_run(file);
  REQUIRE(run);
  return std::move(*run);
}

struct Output {
  int exit = -1;
  std::string out, err;
};

Output run_flagman(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "flagman");
  std::ostringstream out, err;
  const int exit = run_command_line(static_cast<int>(arguments.size()), arguments.data(), out, err);
  return {exit, out.str(), err.str()};
}

// Item lines by item, and the package lines.
std::map<std::string, json> item_lines(const std::string& out) {
  std::map<std::string, json> lines;
  std::istringstream text{out};
  for (std::string line; std::getline(text, line);) {
    auto value = json::parse(line);
    if (value.contains("item") && value.contains("history")) {
      lines.emplace(value["item"].get<std::string>(), std::move(value));
    }
  }
  return lines;
}

struct Transcript {
  std::vector<std::string> refusals;  // "step call reason"
  std::vector<std::string> asked;     // steps that were asked
};

Transcript transcript(const std::string& name) {
  const auto run = load(name);
  RecordedModels models{run};
  Transcript result;
  const auto configuration = read_configuration(std::nullopt);
  for (const auto& package : run.packages) {
    static_cast<void>(replay_package(
        run, package, configuration.games, models,
        [&](const Happening& happening, const arbiter::RoundState&) {
          const auto* command = std::get_if<arbiter::Command>(&happening);
          if (command == nullptr) return;
          if (const auto* failed = std::get_if<arbiter::AskFailed>(command)) {
            result.refusals.push_back(
                failed->step + " " + std::to_string(failed->call) + " " +
                (failed->refusal ? std::string{name_of(*failed->refusal)} : "no reply"));
          }
          if (const auto* ask = std::get_if<arbiter::AskSolver>(command)) {
            result.asked.push_back(to_text(ask->step));
          }
          if (const auto* ask = std::get_if<arbiter::AskArbiter>(command)) {
            result.asked.push_back(to_text(ask->step));
          }
        }));
  }
  return result;
}

bool contains(const std::vector<std::string>& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

}  // namespace

TEST_CASE("the outcomes of both recorded runs are those worked out by hand", "[n-nn]") {
  std::ifstream file{runs + "n-nn.expected.json"};
  const auto expected = json::parse(file);
  const auto [name, id] = GENERATE(table<std::string, std::string>(
      {{"n-nn.run.jsonl", "n-nn"}, {"accepted.run.jsonl", "n-nn-small"}}));
  const auto path = runs + name;
  const auto output = run_flagman({"replay", path.c_str(), "--json"});
  CHECK(output.exit == 0);
  CHECK(output.err.empty());
  const auto lines = item_lines(output.out);
  REQUIRE(lines.size() == expected[id].size());
  REQUIRE(lines.size() >= 12);
  for (const auto& [item, want] : expected[id].items()) {
    CAPTURE(item);
    REQUIRE(lines.contains(item));
    for (const auto& [field, value] : want.items()) {
      CAPTURE(field);
      CHECK(lines.at(item)[field] == value);
    }
  }
  CHECK(run_flagman({"replay", path.c_str(), "--json"}).out == output.out);
}

TEST_CASE("the small run ends accepted as a whole, with nothing to compare away", "[n-nn]") {
  const auto path = runs + "accepted.run.jsonl";
  const auto output = run_flagman({"replay", path.c_str(), "--json", "--diff"});
  CHECK(output.exit == 0);
  const auto last =
      output.out.rfind(R"({"package":"n-nn-small","outcome":"accepted","reasons":[]})");
  CHECK(last != std::string::npos);
}

TEST_CASE("in every revision of every item the key is the author's", "[n-nn]") {
  const std::string name = GENERATE("n-nn.run.jsonl", "accepted.run.jsonl");
  const auto run = load(name);
  const auto path = runs + name;
  const auto lines = item_lines(run_flagman({"replay", path.c_str(), "--json"}).out);
  const auto kinds = read_configuration(std::nullopt).games.kinds;
  const auto body = json::parse(run.packages.at(0).body);
  int compared = 0;
  for (const auto& [item, line] : lines) {
    CAPTURE(item);
    const auto item_name = *validators::parse_item_name(item);
    const auto& field = kinds->at(item_name.kind).key_field;
    for (const auto& entry : line["history"]) {
      const int revision = entry["revision"].get<int>();
      json data =
          body["games"][item_name.kind]["data"][static_cast<std::size_t>(item_name.ordinal)];
      if (revision > 1)
        data = json::parse(run.rebuilds.at({run.packages[0].id, item_name, revision}));
      const json key = field.empty() ? json(nullptr) : data[field];
      CHECK(entry["key"] == key);
      ++compared;
    }
  }
  CHECK(compared > static_cast<int>(lines.size()));
}

TEST_CASE("the comparison shows each key that the old algorithm had rewritten", "[n-nn]") {
  const auto path = runs + "n-nn.run.jsonl";
  const auto output = run_flagman({"replay", path.c_str(), "--diff"});
  CHECK(output.exit == 1);
  for (const auto* line : {"quiz/2@1 of n-nn: outcome was accepted, is flagged; key was rewritten "
                           "to 0, is the author's 1, unchanged\n",
                           "sort/2@1 of n-nn: outcome was accepted, is flagged; key was rewritten "
                           "to \"Одна Н\", is the author's \"Две НН\", unchanged\n",
                           "spotlight/3@1 of n-nn: outcome was accepted, is flagged; key was "
                           "rewritten to \"catch\", is the author's \"skip\", unchanged\n",
                           "odd_one_out/4@1 of n-nn: outcome was accepted, is flagged; key was "
                           "rewritten to 1, is the author's 2, unchanged\n",
                           "pairs/2@1 of n-nn: outcome was accepted, is flagged\n",
                           "memory/0@1 of n-nn: outcome was accepted, is manual_review\n"}) {
    CAPTURE(line);
    CHECK(output.out.find(line) != std::string::npos);
  }
}

TEST_CASE("replies of the recorded run are refused for the reasons they should be", "[n-nn]") {
  const auto told = transcript("n-nn.run.jsonl");
  for (const auto* refusal :
       {"solve/strict/wheel@1 1 echo_mismatch", "solve/strict/spotlight@1 1 truncated",
        "solve/strict/gap@1 1 wrong_shape", "solve/methodist/odd_one_out@1 1 wrong_shape",
        "solve/strict/memory@1 1 not_json", "solve/strict/memory@1 2 wrong_shape",
        "solve/strict/memory@1 3 incomplete"}) {
    CAPTURE(refusal);
    CHECK(contains(told.refusals, refusal));
  }
  CHECK(told.refusals.size() == 7);
}

TEST_CASE("nobody asks the arbiter about a pair that does not expand", "[n-nn]") {
  const auto told = transcript("n-nn.run.jsonl");
  CHECK(contains(told.asked, "solve/strict/pairs@1"));
  CHECK(contains(told.asked, "solve/strict/pairs@2"));
  for (const auto& step : told.asked) CHECK_FALSE(step.starts_with("arbiter/pairs/"));
  CHECK(contains(told.asked, "arbiter/sort/2@1/ab"));
  CHECK(contains(told.asked, "arbiter/sort/2@1/ba"));
}

TEST_CASE("each flag of a hearing has its reason in the item's history", "[n-nn]") {
  const auto path = runs + "n-nn.run.jsonl";
  const auto lines = item_lines(run_flagman({"replay", path.c_str(), "--json"}).out);
  const auto [item, reason, dispute] = GENERATE(table<std::string, std::string, std::string>({
      {"sort/2", "arbiter_disagrees", "solvers_disagree"},
      {"quiz/2", "arbiter_disagrees", "solvers_disagree"},
      {"spotlight/3", "arbiter_disagrees", "solvers_disagree"},
      {"sort/6", "arbiter_contradicts_itself", "solvers_disagree"},
      {"lie_detector/6", "arbiter_none", "solvers_disagree"},
      {"odd_one_out/4", "arbiter_unstable", "solvers_disagree"},
  }));
  CAPTURE(item);
  const auto& first = lines.at(item)["history"][0];
  CHECK(first["outcome"] == "flagged");
  CHECK(first["route"] == "arbiter");
  CHECK(first["reasons"] == json::array({reason, dispute}));
  CHECK(lines.at(item)["outcome"] == "accepted");
  CHECK(lines.at(item)["revision"] == 2);
}
