// Cases taken from public reports about replies: which item was a verdict really about? Each says
// what is expected: `accept`, or `retry` (nothing of the reply is used).

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "arbiter/ballot.h"
#include "tests/arbiter/packages.h"
#include "tests/extra_data.h"

using namespace flagman::arbiter;
using namespace flagman::arbiter::testing;

namespace {

// The verdicts of a case in the shape of our replies, to a game of that kind.
Json reply_with(const Json& verdicts, const std::string& kind) {
  Json reply;
  reply["answers"] = Json::array();
  for (const auto& verdict : verdicts) {
    Json answer;
    answer["i"] = verdict.at("i");
    answer["w"] = verdict.at("w");
    answer["ok"] = true;
    if (kind != "wheel") answer["answer"] = "skip";
    answer["why"] = "about " + std::to_string(verdict.at("i").get<int>());
    reply["answers"].push_back(std::move(answer));
  }
  return reply;
}

Start start_of(const Json& texts, const std::string& kind) {
  Json data = Json::array();
  for (const auto& text : texts) {
    data.push_back(kind == "wheel" ? text : Json{{"w", text}, {"key", "catch"}});
  }
  return start_with(document_of(Json{{kind, {{"data", data}}}}));
}

}  // namespace

TEST_CASE("public cases: a verdict is about the text that it repeats", "[arbiter]") {
  const auto all = flagman::tests::extra_lines("cases/public_cases.jsonl");
  if (!all) return;
  int seen = 0;
  for (const auto& one : *all) {
    if (one.at("kind") != "echo") continue;
    ++seen;
    const auto& input = one.at("input");
    for (const auto* kind : {"wheel", "spotlight"}) {
      CAPTURE(one.at("id").get<std::string>(), one.at("why").get<std::string>(), kind);
      const auto start = start_of(input.at("items"), kind);
      const auto& game = start.state.games.at(0);
      const auto& sheet = game.sheets.at(0).sheet;
      REQUIRE(sheet.items.size() == input.at("items").size());
      const auto ballots =
          parse_ballots(replied(reply_with(input.at("verdicts"), kind).dump()), sheet, game.echoes);
      REQUIRE(ballots.has_value() == (one.at("expected") == "accept"));
      if (!ballots) continue;
      REQUIRE(ballots->size() == sheet.items.size());
      for (std::size_t i = 0; i < ballots->size(); ++i) {
        CHECK(ballots->at(i).why == "about " + std::to_string(sheet.items[i].ordinal));
      }
    }
  }
  CHECK(seen >= 8);
}
