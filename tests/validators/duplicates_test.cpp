#include "validators/duplicates.h"

#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/validators/games.h"
#include "validators/read_package.h"

using namespace flagman::validators;

namespace {

// Codes by ordinal.
using Codes = std::map<int, std::set<std::string>>;

std::string package(const std::string& game) {
  return R"({"format":"flagman.package/1","games":{)" + game + "}}";
}

Codes codes_of(const std::vector<Finding>& findings) {
  Codes codes;
  for (const auto& finding : findings) {
    const bool first =
        codes[finding.item->ordinal].insert(std::string{name_of(finding.code)}).second;
    CHECK(first);
    CHECK(finding.severity == Severity::flag);
  }
  return codes;
}

// Of a game as it was received.
Codes codes(const std::string& game) {
  return codes_of(read_package(package(game), flagman::tests::ten_kinds(), {}).findings);
}

// Of the items of a game, of which only those in `open` are judged.
Codes codes_where_open(const std::string& game, const std::set<int>& open) {
  const auto reading = read_package(package(game), flagman::tests::ten_kinds(), {});
  const auto& read = reading.package.games.at(0);
  std::vector<DuplicateSubject> subjects;
  for (std::size_t i = 0; i < read.items.size(); ++i) {
    if (!read.items[i].well_formed()) continue;
    subjects.push_back({&read.items[i], i, open.contains(static_cast<int>(i))});
  }
  return codes_of(check_duplicates(*read.kind, subjects, 6));
}

const Codes later{{1, {"duplicate_item"}}};
const Codes both{{0, {"contradictory_keys"}}, {1, {"contradictory_keys"}}};
const Codes ambiguous{{0, {"ambiguous_pair"}}, {1, {"ambiguous_pair"}}};
const Codes none;

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
      {"dashes", "Волга — река", "Волга – река", true},
      {"quotes", "«Мцыри»", "„Мцыри“", true},
      {"an entity", "Том & Джерри", "Том &amp; Джерри", true},
      {"a zero width space hides one", "юный", "ю\u200Bный", true},
      {"spellings of a gap", "маши..ый", "маши…ый", true},
      {"compositions of й", "чудесный край", "чудесный краи\u0306", true},
      {"a Latin look-alike", "осень", "oсень", true},
      {"together and apart", "несмотря", "не смотря", false},
      {"й and и", "мой", "мои", false},
      {"a sign", "-2", "2", false},
      {"a moved comma", "казнить, нельзя помиловать", "казнить нельзя, помиловать", false},
      {"a stressed capital", "звОнит", "звонИт", false},
      {"a stress mark", "за\u0301мок", "замо\u0301к", false},
      {"case", "Роман", "роман", false},
      {"a question and an exclamation", "Да?", "Да!", false},
      {"a hyphen and a space", "кто-то", "кто то", false},
  }));
  CAPTURE(row.why);
  const auto found = codes(R"("wheel":{"data":[")" + row.one + "\",\"" + row.other + "\"]}");
  // A text that is faulty by itself is no other one's duplicate: its own fault stands alone.
  const auto alone = codes(R"("wheel":{"data":[")" + row.other + "\"]}");
  if (alone.empty()) {
    CHECK(found == (row.same ? later : none));
  } else {
    CHECK(found == Codes{{1, alone.at(0)}});
  }
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
      {"two of two kinds",
       R"("wheel":{"data":["а","б","б","а"]})",
       {{2, {"duplicate_item"}}, {3, {"duplicate_item"}}}},
      {"the same label", R"("lie_detector":{"data":[{"s":"а","key":"lie"},{"s":"а","key":"lie"}]})",
       later},
      {"another label",
       R"("lie_detector":{"data":[{"s":"а","key":"lie"},{"s":"а","key":"truth"}]})", both},
      {"a third with the first one's key",
       R"("lie_detector":{"data":[{"s":"а","key":"lie"},{"s":"а","key":"truth"},{"s":"а","key":"lie"}]})",
       {{0, {"contradictory_keys"}},
        {1, {"contradictory_keys"}},
        {2, {"contradictory_keys", "duplicate_item"}}}},
      {"catch and skip", R"("spotlight":{"data":[{"w":"а","key":"catch"},{"w":"а","key":"skip"}]})",
       both},
      {"one word, two baskets",
       R"("sort":{"baskets":["А","Б"],"data":[{"w":"ёж","key":"А"},{"w":"еж","key":"Б"}]})", both},
      {"one word, one basket in two spellings",
       R"("sort":{"baskets":["А","Б"],"data":[{"w":"а","key":"А"},{"w":"а","key":" А"}]})", later},
      {"the same question with other options",
       R"("quiz":{"data":[{"q":"в","options":["а","б"],"key":0},{"q":"в","options":["а","в"],"key":0}]})",
       none},
      {"the same question with an option more",
       R"("quiz":{"data":[{"q":"в","options":["а","б"],"key":0},{"q":"в","options":["а","б","в"],"key":0}]})",
       none},
      {"the same options under another question",
       R"("quiz":{"data":[{"q":"в","options":["а","б"],"key":0},{"q":"г","options":["а","б"],"key":0}]})",
       none},
      {"question and options are not run together",
       R"("quiz":{"data":[{"q":"в","options":["а","бв"],"key":0},{"q":"в","options":["аб","в"],"key":0}]})",
       none},
      {"the same options in another order, the same key",
       R"("quiz":{"data":[{"q":"в","options":["а","б"],"key":0},{"q":"в","options":["б","а"],"key":1}]})",
       later},
      {"the same options in another order, the same index",
       R"("quiz":{"data":[{"q":"в","options":["а","б"],"key":0},{"q":"в","options":["б","а"],"key":0}]})",
       both},
      {"the same options, another key",
       R"("quiz":{"data":[{"q":"в","options":["а","б"],"key":0},{"q":"в","options":["а","б"],"key":1}]})",
       both},
      {"the same options by fold",
       R"("quiz":{"data":[{"q":"в","options":["ёж","б"],"key":0},{"q":"в","options":["еж","б"],"key":0}]})",
       later},
      {"the same steps",
       R"("order":{"data":[{"q":"в","steps":["а","б"]},{"q":"в ","steps":["а","б"]}]})", later},
      {"steps in another order",
       R"("order":{"data":[{"q":"в","steps":["а","б"]},{"q":"в","steps":["б","а"]}]})", both},
      {"other steps",
       R"("order":{"data":[{"q":"в","steps":["а","б"]},{"q":"в","steps":["а","в"]}]})", none},
      {"the same words",
       R"("odd_one_out":{"data":[{"words":["а","б","в"],"key":0},{"q":"?","words":["а","б","в"],"key":0}]})",
       later},
      {"the same words, another odd one",
       R"("odd_one_out":{"data":[{"words":["а","б","в"],"key":0},{"words":["а","б","в"],"key":2}]})",
       both},
      {"the same question and short answer",
       R"("gap":{"data":[{"q":"6/8?","key":"3/4"},{"q":"6/8?","key":"3/4","accept":["0,75"]}]})",
       later},
      {"another short answer", R"("gap":{"data":[{"q":"?","key":"а"},{"q":"?","key":"б"}]})", both},
      {"the same pair", R"("memory":{"data":[{"a":"лев","b":"зверь"},{"a":"лев","b":"зверь"}]})",
       later},
      {"the same left, another right",
       R"("memory":{"data":[{"a":"лев","b":"зверь"},{"a":"лев","b":"кот"}]})", both},
      {"the same right", R"("memory":{"data":[{"a":"2+2","b":"4"},{"a":"1+3","b":"4"}]})",
       ambiguous},
      {"the same right by fold",
       R"("memory":{"data":[{"a":"колючий","b":"ёж"},{"a":"лесной","b":"еж"}]})", ambiguous},
      {"right and left crosswise are no fault",
       R"("memory":{"data":[{"a":"а","b":"б"},{"a":"б","b":"а"}]})", none},
      {"three with one right",
       R"("memory":{"data":[{"a":"а","b":"4"},{"a":"б","b":"4"},{"a":"в","b":"4"}]})",
       {{0, {"ambiguous_pair"}}, {1, {"ambiguous_pair"}}, {2, {"ambiguous_pair"}}}},
      {"a duplicate that is ambiguous beside a third",
       R"("memory":{"data":[{"a":"а","b":"4"},{"a":"а","b":"4"},{"a":"в","b":"4"}]})",
       {{0, {"ambiguous_pair"}},
        {1, {"ambiguous_pair", "duplicate_item"}},
        {2, {"ambiguous_pair"}}}},
      {"one left fits the other's right, not the other way",
       R"("pairs":{"data":[{"left":"к..т","right":"кот"},{"left":"ко..","right":"кожа"}]})", none},
      {"nor where the lefts begin alike",
       R"("pairs":{"data":[{"left":"пр..мый","right":"прямый"},{"left":"пря..ый","right":"пряный"}]})",
       none},
      {"both lefts expand to both rights",
       R"("pairs":{"data":[{"left":"к..т","right":"кот"},{"left":"..т","right":"кит"}]})",
       ambiguous},
      {"the same left with another right is a contradiction alone",
       R"("pairs":{"data":[{"left":"к..т","right":"кот"},{"left":"к…т","right":"кит"}]})", both},
      {"a gap takes no seventh letter here either",
       R"("pairs":{"data":[{"left":"к..т","right":"кабвгдежт"},{"left":"..т","right":"кит"}]})",
       none},
      {"a faulty item takes no part",
       R"("lie_detector":{"data":[{"s":"а","key":"maybe"},{"s":"а","key":"lie"}]})",
       {{0, {"key_outside_domain"}}}},
      {"nor does an item with an unknown field",
       R"("memory":{"data":[{"a":"а","b":"4","c":1},{"a":"б","b":"4"}]})",
       {{0, {"unknown_field"}}}},
      {"games are looked at apart",
       R"("memory":{"data":[{"a":"а","b":"4"}]},"pairs":{"data":[{"left":"а","right":"4"}]})",
       none},
  }));
  CAPTURE(row.why);
  CHECK(codes(row.game) == row.want);
}

TEST_CASE("only open items are flagged", "[validators]") {
  struct Row {
    const char* why;
    std::string game;
    std::set<int> open;
    Codes want;
  };
  const auto same = R"("wheel":{"data":["а","а"]})";
  const auto three = R"("wheel":{"data":["а","а","а"]})";
  const auto contrary =
      R"("lie_detector":{"data":[{"s":"а","key":"lie"},{"s":"а","key":"truth"}]})";
  const auto pairs = R"("memory":{"data":[{"a":"2+2","b":"4"},{"a":"1+3","b":"4"}]})";
  const auto row = GENERATE_COPY(values<Row>({
      {"both open: the later", same, {0, 1}, later},
      {"the later is settled: the earlier", same, {0}, {{0, {"duplicate_item"}}}},
      {"the earlier is settled: the later", same, {1}, later},
      {"both are settled", same, {}, none},
      {"of three the middle is open", three, {1}, later},
      {"of three the first is settled",
       three,
       {1, 2},
       {{1, {"duplicate_item"}}, {2, {"duplicate_item"}}}},
      {"of three the last is settled",
       three,
       {0, 1},
       {{0, {"duplicate_item"}}, {1, {"duplicate_item"}}}},
      {"keys against a settled item", contrary, {1}, {{1, {"contradictory_keys"}}}},
      {"a settled item against keys", contrary, {0}, {{0, {"contradictory_keys"}}}},
      {"settled items contradict one another", contrary, {}, none},
      {"a pair against a settled one", pairs, {0}, {{0, {"ambiguous_pair"}}}},
      {"settled pairs", pairs, {}, none},
  }));
  CAPTURE(row.why);
  CHECK(codes_where_open(row.game, row.open) == row.want);
}

TEST_CASE("a finding names the other item, and comes by ordinal", "[validators]") {
  const auto reading =
      read_package(package(R"("lie_detector":{"data":[{"s":"а","key":"lie"},{"s":"б","key":"lie"},)"
                           R"({"s":"а","key":"truth"},{"s":"б","key":"lie"}]})"),
                   flagman::tests::ten_kinds(), {});
  std::vector<std::pair<std::string, std::string>> found;
  for (const auto& finding : reading.findings) {
    found.emplace_back(to_text(*finding.item) + " " + std::string{name_of(finding.code)},
                       finding.place);
  }
  CHECK(found == std::vector<std::pair<std::string, std::string>>{
                     {"lie_detector/0 contradictory_keys", "/games/lie_detector/data/0"},
                     {"lie_detector/2 contradictory_keys", "/games/lie_detector/data/2"},
                     {"lie_detector/3 duplicate_item", "/games/lie_detector/data/3"}});
  CHECK(reading.findings.at(0).detail.find("lie_detector/2") != std::string::npos);
  CHECK(reading.findings.at(2).detail.find("lie_detector/1") != std::string::npos);
  CHECK_FALSE(reading.rejected());
  const auto& items = reading.package.games.at(0).items;
  CHECK(items[3].well_formed());
  CHECK_FALSE(items[3].sound());
  CHECK(items[1].sound());
}

TEST_CASE("a kind's own fillings count where pairs are compared", "[validators]") {
  const auto kinds = [](const std::string& also) {
    auto parsed = parse_kinds(R"({"format":"flagman.games/1","kinds":{"own":{"answer":"partner",
        "item":{"text":"l","key":"r"},"gap_also":")" +
                              also + "\"}}}");
    REQUIRE(parsed);
    return std::make_shared<const Kinds>(std::move(*parsed));
  };
  const auto game =
      package(R"("own":{"data":[{"l":"не..да","r":"не-да"},{"l":"не..а","r":"неда"}]})");
  CHECK(codes_of(read_package(game, kinds(""), {}).findings) == none);
  CHECK(codes_of(read_package(game, kinds("-"), {}).findings) == ambiguous);
}
