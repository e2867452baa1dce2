#include "arbiter/blind_sheet.h"

#include <rapidcheck.h>
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/arbiter/packages.h"
#include "validators/text.h"

using namespace flagman::arbiter;
using namespace flagman::arbiter::testing;

namespace {

// "step call sheet" of every solver's ask.
std::vector<std::string> sheets_of(const std::vector<Command>& commands) {
  std::vector<std::string> sheets;
  for (const auto& ask : commands_of<AskSolver>(commands)) {
    sheets.push_back(to_text(ask.step) + " " + std::to_string(ask.call) + " " + to_json(ask.sheet));
  }
  return sheets;
}

std::vector<std::string> any_strings() {
  std::vector<std::string> texts;
  for (const auto& text : any_texts(0, 6, 0)) texts.push_back(text.get<std::string>());
  // Texts that are the same by tidy, and ones that are the same.
  if (!texts.empty() && below(3) == 0) texts.push_back(texts.front() + " ");
  if (!texts.empty() && below(3) == 0) texts.push_back(texts.back());
  return texts;
}

}  // namespace

TEST_CASE("no key within its domain changes a byte of any sheet", "[arbiter]") {
  CHECK(rc::check("over all ten games", [] {
    const auto document = all_ten_games(3);
    const auto other = rekeyed(document);
    Policy policy;
    policy.sheet_max = 1 + below(3);
    const auto sheets = sheets_of(start_with(document, policy).commands);
    RC_ASSERT(sheets == sheets_of(start_with(other, policy).commands));
    RC_CLASSIFY(document != other, "another key");
    RC_ASSERT(!sheets.empty());
  }));
}

TEST_CASE("each game's keys alone leave its sheets as they are", "[arbiter]") {
  // By hand, so that a failure shows the game, and every key is another one.
  struct Row {
    const char* kind;
    std::string game, other;
  };
  const auto row = GENERATE(values<Row>({
      {"quiz", R"({"data": [{"q": "Где?", "options": ["в", "а", "б"], "key": 0, "asks": "н"},
                  {"q": "Где?", "options": ["г", "в"], "key": 1}]})",
       R"({"data": [{"q": "Где?", "options": ["в", "а", "б"], "key": 2, "asks": "нн"},
                  {"q": "Где?", "options": ["г", "в"], "key": 0}]})"},
      {"sort", R"({"baskets": ["Одна Н", "Две НН"], "data": [{"w": "маши…ый", "key": "Две НН"}]})",
       R"({"baskets": ["Одна Н", "Две НН"], "data": [{"w": "маши…ый", "key": "Одна Н"}]})"},
      {"lie_detector", R"({"data": [{"s": "Да.", "key": "lie"}]})",
       R"({"data": [{"s": "Да.", "key": "truth"}]})"},
      {"spotlight", R"({"rule": "НН", "data": [{"w": "ветре…ый", "key": "skip"}]})",
       R"({"rule": "НН", "data": [{"w": "ветре…ый", "key": "catch"}]})"},
      {"pairs", R"({"data": [{"left": "а", "right": "1"}, {"left": "б", "right": "2"},
                   {"left": "в", "right": "3"}]})",
       R"({"data": [{"left": "а", "right": "3"}, {"left": "б", "right": "1"},
                   {"left": "в", "right": "2"}]})"},
      {"memory", R"({"data": [{"a": "а", "b": "1"}, {"a": "б", "b": "2"}]})",
       R"({"data": [{"a": "а", "b": "2"}, {"a": "б", "b": "1"}]})"},
      {"gap", R"({"data": [{"q": "Сколько?", "key": "3/4", "accept": ["0,75"]}]})",
       R"({"data": [{"q": "Сколько?", "key": "много"}]})"},
      {"order", R"({"data": [{"q": "Порядок", "steps": ["раз", "два", "три"]}]})",
       R"({"data": [{"q": "Порядок", "steps": ["три", "раз", "два"]}]})"},
      {"odd_one_out", R"({"data": [{"q": "Лишнее?", "words": ["в", "а", "б"], "key": 0}]})",
       R"({"data": [{"q": "Лишнее?", "words": ["в", "а", "б"], "key": 2}]})"},
  }));
  CAPTURE(row.kind);
  const auto sheets =
      sheets_of(start_games(R"({")" + std::string{row.kind} + "\":" + row.game + "}").commands);
  CHECK(sheets.size() == 2);
  CHECK(sheets ==
        sheets_of(start_games(R"({")" + std::string{row.kind} + "\":" + row.other + "}").commands));
}

TEST_CASE("solvers are shown the same sheet, with what their question needs", "[arbiter]") {
  const auto start = start_games(ten_games);
  std::map<std::string, std::string> by_kind;
  for (const auto& ask : commands_of<AskSolver>(start.commands)) {
    const auto sheet = to_json(ask.sheet);
    const auto [known, fresh] = by_kind.emplace(ask.step.kind, sheet);
    CHECK(known->second == sheet);
    CHECK(ask.step.solver == (fresh ? "strict" : "methodist"));
  }
  const std::string about =
      R"(,"topic":"Н и НН в разных частях речи","subject":"русский язык","grade":9,"language":"ru")";
  CHECK(by_kind.size() == 10);
  CHECK(by_kind["spotlight"] == R"({"kind":"spotlight")" + about +
                                    R"(,"game":{"rule":"Ловите слова с НН"},"labels":["catch",)"
                                    R"("skip"],"items":[{"i":0,"w":"ветре…ый"}]})");
  CHECK(by_kind["wheel"] ==
        R"({"kind":"wheel")" + about + R"(,"items":[{"i":0,"w":"изране..ый"}]})");
  CHECK(by_kind["sort"] == R"({"kind":"sort")" + about +
                               R"(,"labels":["Одна Н","Две НН"],"items":[{"i":0,"w":"маши…ый"}]})");
  CHECK(by_kind["gap"] ==
        R"({"kind":"gap")" + about + R"(,"items":[{"i":0,"w":"Сколько будет 6/8?"}]})");
  const auto odd = Json::parse(by_kind["odd_one_out"]);
  CHECK(odd["items"][0]["w"] == "стол; стул; роза");
  CHECK(odd["items"][0]["options"].size() == 3);
}

TEST_CASE("options, words, steps and right sides are shown shuffled", "[arbiter]") {
  // In no order that anybody gave them: neither the author's nor the alphabet's.
  const std::vector<std::string> texts{"г", "а", "е", "в", "д", "б"};
  const auto order = shuffled(texts);
  REQUIRE(order != texts);
  REQUIRE_FALSE(std::is_sorted(order.begin(), order.end()));
  const auto list = Json(texts).dump();
  const auto start =
      start_games(R"({"quiz": {"data": [{"q": "Где?", "options": )" + list + R"(, "key": 0}]},
          "odd_one_out": {"data": [{"words": )" +
                  list + R"(, "key": 0}]}, "order": {"data": [{"q": "Порядок", "steps": )" + list +
                  R"(}]}, "memory": {"data": [{"a": "1", "b": "г"}, {"a": "2", "b": "а"},
          {"a": "3", "b": "е"}, {"a": "4", "b": "в"}, {"a": "5", "b": "д"},
          {"a": "6", "b": "б"}]}})");
  const auto asks = commands_of<AskSolver>(start.commands);
  CHECK(asks.size() == 8);
  for (const auto& ask : asks) {
    CAPTURE(ask.step.kind);
    const bool pairs = ask.step.kind == "memory";
    CHECK((pairs ? ask.sheet.right_sides : ask.sheet.items.at(0).options) == order);
  }
}

TEST_CASE("a sheet of pairs shows all right sides, of settled and faulty items too", "[arbiter]") {
  Policy policy;
  policy.sheet_max = 1;
  const auto start = start_games(R"({"memory": {"data": [{"a": "а", "b": "один"},
      {"a": "б", "b": "два"}, {"a": "в", "b": "три", "extra": 1}]}})",
                                 policy);
  const auto asks = commands_of<AskSolver>(start.commands);
  REQUIRE(asks.size() == 4);
  for (const auto& ask : asks) {
    const auto& shown = ask.sheet.right_sides;
    CHECK(std::set<std::string>(shown.begin(), shown.end()) ==
          std::set<std::string>{"один", "два", "три"});
    CHECK(ask.sheet.items.size() == 1);
  }
}

TEST_CASE("shuffled is a permutation that depends on the set of texts alone", "[arbiter]") {
  CHECK(rc::check("permutation", [] {
    const auto texts = any_strings();
    auto order = shuffled(texts);
    auto other = texts;
    for (std::size_t i = other.size(); i > 1; --i) {
      std::swap(other[i - 1], other[static_cast<std::size_t>(below(static_cast<int>(i)))]);
    }
    RC_ASSERT(shuffled(other) == order);
    auto sorted = texts;
    std::sort(sorted.begin(), sorted.end());
    std::sort(order.begin(), order.end());
    RC_ASSERT(order == sorted);
  }));
  CHECK(rc::check("by tidy", [] {
    // What tidy drops does not move a text to another place.
    auto texts = any_strings();
    std::sort(texts.begin(), texts.end());
    texts.erase(std::unique(texts.begin(), texts.end(), flagman::validators::same_text),
                texts.end());
    auto spaced = texts;
    for (auto& text : spaced) text = " " + text + "\u00AD";
    auto order = shuffled(texts);
    for (auto& text : order) text = " " + text + "\u00AD";
    RC_ASSERT(shuffled(spaced) == order);
  }));
}

TEST_CASE("shuffled leaves no trace of an order", "[arbiter]") {
  // Over many sets of three each of the six orders comes up, about as often as the others.
  std::map<std::vector<int>, int> times;
  for (int i = 0; i < 600; ++i) {
    const auto mark = std::to_string(i);
    const auto order = shuffled({"а " + mark, "б " + mark, "в " + mark});
    std::vector<int> places;
    for (const auto& text : order) places.push_back(static_cast<unsigned char>(text[1]));
    ++times[places];
  }
  CHECK(times.size() == 6);
  for (const auto& [places, count] : times) CHECK((count > 60 && count < 140));
  // The rest of the set decides about a pair's order too.
  std::set<bool> first_before_second;
  for (int i = 0; i < 20; ++i) {
    const auto order = shuffled({"да", "нет", std::to_string(i)});
    first_before_second.insert(std::find(order.begin(), order.end(), "да") <
                               std::find(order.begin(), order.end(), "нет"));
  }
  CHECK(first_before_second.size() == 2);
}
