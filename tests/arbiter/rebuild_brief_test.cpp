#include "arbiter/rebuild_brief.h"

#include <rapidcheck.h>
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/arbiter/packages.h"

using namespace flagman::arbiter;
using namespace flagman::arbiter::testing;

namespace {

// The briefs of the first round, by item.
std::map<std::string, std::string> first_briefs(const Json& document, std::uint64_t seed) {
  Policy policy;
  policy.sheet_max = 3;
  Desk desk{start_with(document, policy), any_script(seed)};
  desk.finish();
  std::map<std::string, std::string> briefs;
  for (const auto& request : commands_of<RequestRebuild>(desk.commands())) {
    if (request.brief.revision == 2) {
      briefs[to_text(request.brief.item)] = to_json(request.brief);
    }
  }
  return briefs;
}

RebuildBrief example() {
  RebuildBrief brief;
  brief.package = "p-1";
  brief.item = {"sort", 1};
  brief.revision = 2;
  brief.topic = "Н и НН";
  brief.subject = "русский язык";
  brief.language = "ru";
  brief.grade = 9;
  brief.game = R"({"baskets":["Одна Н","Две НН"]})";
  brief.current = R"({"w":"маши…ый","key":"Две НН"})";
  brief.neighbours = {"ране..ый", "ветре…ый"};
  return brief;
}

}  // namespace

TEST_CASE("nothing that a solver or the arbiter says changes a byte of a brief", "[arbiter]") {
  int compared = 0;
  CHECK(rc::check("over all ten games", [&] {
    const auto document = all_ten_games(3);
    const auto one = first_briefs(document, *rc::gen::arbitrary<std::uint64_t>());
    const auto other = first_briefs(document, *rc::gen::arbitrary<std::uint64_t>());
    for (const auto& [item, brief] : one) {
      RC_ASSERT(brief.find(rumour) == std::string::npos);
      const auto twin = other.find(item);
      if (twin == other.end()) continue;
      RC_ASSERT(twin->second == brief);
      ++compared;
    }
  }));
  CHECK(compared > 100);  // the models of the script do bring flags about
}

TEST_CASE("whoever flags an item and why, the author is asked the same", "[arbiter]") {
  const auto brief_after = [](const Vote& vote, const Json& choice, const std::string& why) {
    Script script = agreeable();
    script.solve = [vote](const RoundState& state, const AskSolver& ask) {
      return answered(ask, ballots_for(state, ask, vote));
    };
    script.hear = [choice, why](const RoundState&, const AskArbiter& ask) {
      return answered(ask, ruling_for(ask, choice, why));
    };
    Desk desk{start_games(R"({"sort": {"baskets": ["Одна Н", "Две НН"],
        "fillings": {"Одна Н": "н", "Две НН": "нн"},
        "data": [{"w": "маши…ый", "key": "Две НН"}]}})"),
              script};
    desk.finish();
    const auto requests = commands_of<RequestRebuild>(desk.commands());
    REQUIRE(requests.size() == 1);
    return to_json(requests[0].brief);
  };
  const Vote other{"Одна Н", true, "other", "машиный"};
  // The exact text: its fields, their order, the instruction, and no word of anybody's.
  const std::string want =
      R"({"format":"flagman.rebuild/1","package":"p-1","item":"sort/0","revision":2,"kind":"sort",)"
      R"("topic":"Н и НН в разных частях речи","subject":"русский язык","grade":9,)"
      R"("language":"ru","game":{"baskets":["Одна Н","Две НН"],"fillings":{"Одна Н":"н",)"
      R"("Две НН":"нн"}},"current":{"w":"маши…ый","key":"Две НН"},"neighbours":[],)"
      R"("findings":[],"instruction":)"
      R"("Ключ не изменён. Постройте это задание заново и проверьте его сами."})";
  CHECK(brief_after({{}, false, "other", "неверное слово"}, nullptr, "") == want);
  CHECK(brief_after(other, "Одна Н", "Одна Н, потому что суффикс") == want);
  CHECK(brief_after(other, nullptr, "Ни то ни другое") == want);
  CHECK(brief_after(other, "Две НН", "Правильно «машиный»") == want);
}

TEST_CASE("a brief is one line of the contract's fields", "[arbiter]") {
  auto brief = example();
  brief.findings.push_back({Reason::duplicate_item, flagman::validators::Severity::flag,
                            ItemName{"sort", 1}, "", "the same item as sort/0"});
  brief.findings.push_back({Reason::unknown_field, flagman::validators::Severity::flag,
                            ItemName{"sort", 1}, "/hint", "an item of sort has no field «hint»"});
  CHECK(to_json(brief) ==
        R"({"format":"flagman.rebuild/1","package":"p-1","item":"sort/1","revision":2,)"
        R"("kind":"sort","topic":"Н и НН","subject":"русский язык","grade":9,"language":"ru",)"
        R"("game":{"baskets":["Одна Н","Две НН"]},"current":{"w":"маши…ый","key":"Две НН"},)"
        R"("neighbours":["ране..ый","ветре…ый"],"findings":[{"code":"duplicate_item","place":""},)"
        R"({"code":"unknown_field","place":"/hint"}],"instruction":)"
        R"("Ключ не изменён. Постройте это задание заново и проверьте его сами."})");
  brief.grade.reset();
  CHECK(Json::parse(to_json(brief))["grade"].is_null());
}

TEST_CASE("the instruction is one fixed sentence a language", "[arbiter]") {
  const std::string english =
      "The key was not changed. Build this item anew and check it yourself.";
  const std::string russian = "Ключ не изменён. Постройте это задание заново и проверьте его сами.";
  struct Row {
    const char* why;
    std::string language, want;
  };
  const auto row = GENERATE_COPY(values<Row>({
      {"English", "en", english},
      {"English of a country", "en-GB", english},
      {"Russian", "ru", russian},
      {"unsaid", "", russian},
      {"neither", "es", russian},
  }));
  CAPTURE(row.why);
  auto brief = example();
  brief.language = row.language;
  const auto value = Json::parse(to_json(brief));
  CHECK(value["instruction"].get<std::string>() == row.want);
}
