#include "validators/duplicates.h"

#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>

#include "tests/validators/games.h"
#include "validators/read_package.h"

using namespace flagman::validators;

namespace {

// Codes by ordinal, of a game as it was received.
std::map<int, std::set<std::string>> codes(const std::string& game) {
  const auto reading = read_package(R"({"format":"flagman.package/1","games":{)" + game + "}}",
                                    flagman::tests::ten_kinds());
  std::map<int, std::set<std::string>> found;
  for (const auto& finding : reading.findings) {
    found[finding.item->ordinal].insert(std::string{name_of(finding.code)});
  }
  return found;
}

using Codes = std::map<int, std::set<std::string>>;

}  // namespace

TEST_CASE("two texts are one item when pupils would see them as one", "[validators]") {
  struct Row {
    const char* why;
    std::string one, other;
    bool same;
  };
  const auto row = GENERATE(values<Row>({
      {"a trailing space", "гусиный", "гусиный ", true},
      {"ё", "ёлка", "елка", true},
      {"hyphens", "кто-то", "кто‑то", true},
      {"an entity", "Том & Джерри", "Том &amp; Джерри", true},
      {"spellings of a gap", "маши..ый", "маши…ый", true},
      {"together and apart", "несмотря", "не смотря", false},
      {"й and и", "мой", "мои", false},
      {"a sign", "-2", "2", false},
      {"a moved comma", "казнить, нельзя помиловать", "казнить нельзя, помиловать", false},
      {"a stressed capital", "звОнит", "звонИт", false},
  }));
  CAPTURE(row.why);
  const auto found = codes(R"("wheel":{"data":[")" + row.one + "\",\"" + row.other + "\"]}");
  CHECK(found == (row.same ? Codes{{1, {"duplicate_item"}}} : Codes{}));
}

TEST_CASE("the later one is the duplicate, and two keys contradict one another", "[validators]") {
  struct Row {
    const char* why;
    std::string game;
    Codes want;
  };
  const auto row = GENERATE(values<Row>({
      {"three of a kind",
       R"("wheel":{"data":["а","а","а"]})",
       {{1, {"duplicate_item"}}, {2, {"duplicate_item"}}}},
      {"the same label",
       R"("lie_detector":{"data":[{"s":"а","key":"lie"},{"s":"а","key":"lie"}]})",
       {{1, {"duplicate_item"}}}},
      {"another label",
       R"("lie_detector":{"data":[{"s":"а","key":"lie"},{"s":"а","key":"truth"}]})",
       {{0, {"contradictory_keys"}}, {1, {"contradictory_keys"}}}},
      {"a third with the first one's key",
       R"("lie_detector":{"data":[{"s":"а","key":"lie"},{"s":"а","key":"truth"},{"s":"а","key":"lie"}]})",
       {{0, {"contradictory_keys"}},
        {1, {"contradictory_keys"}},
        {2, {"contradictory_keys", "duplicate_item"}}}},
      {"the same question with other options",
       R"("quiz":{"data":[{"q":"в","options":["а","б"],"key":0},{"q":"в","options":["а","в"],"key":0}]})",
       {}},
      {"the same options in another order, the same key",
       R"("quiz":{"data":[{"q":"в","options":["а","б"],"key":0},{"q":"в","options":["б","а"],"key":1}]})",
       {{1, {"duplicate_item"}}}},
      {"the same options, another key",
       R"("quiz":{"data":[{"q":"в","options":["а","б"],"key":0},{"q":"в","options":["а","б"],"key":1}]})",
       {{0, {"contradictory_keys"}}, {1, {"contradictory_keys"}}}},
      {"steps in another order",
       R"("order":{"data":[{"q":"в","steps":["а","б"]},{"q":"в","steps":["б","а"]}]})",
       {{0, {"contradictory_keys"}}, {1, {"contradictory_keys"}}}},
      {"other steps",
       R"("order":{"data":[{"q":"в","steps":["а","б"]},{"q":"в","steps":["а","в"]}]})",
       {}},
      {"the same left, another right",
       R"("memory":{"data":[{"a":"лев","b":"зверь"},{"a":"лев","b":"кот"}]})",
       {{0, {"contradictory_keys"}}, {1, {"contradictory_keys"}}}},
      {"the same right",
       R"("memory":{"data":[{"a":"2+2","b":"4"},{"a":"1+3","b":"4"}]})",
       {{0, {"ambiguous_pair"}}, {1, {"ambiguous_pair"}}}},
      {"one left fits the other's right, not the other way",
       R"("pairs":{"data":[{"left":"пр..мый","right":"прямый"},{"left":"пря..ый","right":"пряный"}]})",
       {}},
      {"both lefts expand to both rights",
       R"("pairs":{"data":[{"left":"к..т","right":"кот"},{"left":"..т","right":"кит"}]})",
       {{0, {"ambiguous_pair"}}, {1, {"ambiguous_pair"}}}},
      {"a faulty item takes no part",
       R"("lie_detector":{"data":[{"s":"а","key":"maybe"},{"s":"а","key":"lie"}]})",
       {{0, {"key_outside_domain"}}}},
  }));
  CAPTURE(row.why);
  CHECK(codes(row.game) == row.want);
}

TEST_CASE("of a settled and an open item the open one is the duplicate", "[validators]") {
  const auto reading =
      read_package(R"({"format":"flagman.package/1","games":{"wheel":{"data":["а","б"]}}})",
                   flagman::tests::ten_kinds());
  const auto& game = reading.package.games.at(0);
  const auto& settled = game.items[0];
  const auto findings = check_duplicates(*game.kind, {{&settled, true}, {&settled, false}});
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].item->ordinal == 0);
  CHECK(check_duplicates(*game.kind, {{&settled, false}, {&settled, false}}).empty());
}
