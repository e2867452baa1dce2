// Pairs that fail to expand by a slip, and pairs that are about something else.

#include <catch2/catch.hpp>
#include <string>

#include "tests/validators/games.h"
#include "validators/expansion.h"
#include "validators/read_package.h"
#include "validators/text.h"

using namespace flagman::validators;

TEST_CASE("a slip in the letters beside the gap is almost an expansion", "[validators]") {
  struct Row {
    const char* why;
    std::string left, right;
    NearExpansion want;
  };
  constexpr auto almost = NearExpansion::almost;
  constexpr auto not_almost = NearExpansion::not_almost;
  const auto row = GENERATE(values<Row>({
      {"ending lost, recorded run", "маши..а вязка", "машинная вязка", almost},
      {"public case: ending lost", "стекля..а ваза", "стеклянная ваза", almost},
      {"the ending of a single word lost", "маши..а", "машинная", almost},
      {"a letter changed in a phrase", "серебря..ый поднос", "серебряный подноз", almost},
      {"a letter doubled", "серебря..ый поднос", "серребряный поднос", almost},
      {"two letters swapped", "стекля..ый стакан", "стеклянный сткаан", almost},
      {"two edits in a long phrase", "дере..янный стол у окна", "деревяный стол у акна", almost},
      {"a letter lost in a single word", "торжестве..ый", "тожественный", almost},
      {"the gap was never filled", "маши..ый", "маши..ый", almost},
      {"one of two gaps was not", "серебря..ый и деревя..ый", "серебряный и деревя..ый", almost},
      {"the sides stand the other way round", "машинная вязка", "маши..а вязка", almost},
      {"a stop at the end", "маши..ая вязка", "машинная вязка.", almost},
      {"it expands", "маши..ая вязка", "машинная вязка", not_almost},
      {"it expands but for a stress mark", "зв..нит звонок", "звони\u0301т звонок", not_almost},
      {"no gap anywhere", "стекло", "стеклянный", not_almost},
      {"a synonym", "пр..красный", "ужасный", not_almost},
      {"a meaning", "к..мпания", "группа друзей", not_almost},
      {"what checks the vowel", "в..да", "воды", not_almost},
      {"what checks it, longer", "стор..на", "стороны", not_almost},
      {"the plural", "к..рандаш", "карандаши", not_almost},
      {"the singular", "х..лода", "холод", not_almost},
      {"a verb with another vowel", "выт..рать", "вытереть", not_almost},
      {"too short to tell", "к..т", "дом", not_almost},
      {"too many edits", "маши..ая вязка", "машинный вязальщик", not_almost},
      {"three letters more than a gap takes", "ма..а вязка", "машинностроительная вязка",
       not_almost},
  }));
  CAPTURE(row.why, row.left, row.right);
  CHECK(check_near_expansion(tidy(row.left), tidy(row.right), {}) == row.want);
}

TEST_CASE("a pair that almost expands is flagged at the side that slips", "[validators]") {
  struct Row {
    const char* kind;
    std::string item, place;
  };
  const auto row = GENERATE(values<Row>({
      {"pairs", R"({"left":"маши..а вязка","right":"машинная вязка"})", "/right"},
      {"pairs", R"({"left":"машинная вязка","right":"маши..а вязка"})", "/left"},
      {"memory", R"({"a":"стекля..а ваза","b":"стеклянная ваза"})", "/b"},
      {"memory", R"({"a":"стекля..ая ваза","b":"стеклянная ваза"})", ""},
      {"pairs", R"({"left":"стор..на","right":"стороны"})", ""},
  }));
  const std::string kind = row.kind;
  const auto reading = read_package(
      R"({"format":"flagman.package/1","games":{")" + kind + R"(":{"data":[)" + row.item + "]}}}",
      flagman::tests::ten_kinds(), {});
  if (row.place.empty()) {
    CHECK(reading.findings.empty());
    return;
  }
  REQUIRE(reading.findings.size() == 1);
  CHECK(reading.findings[0].code == Reason::pair_almost_expands);
  CHECK(reading.findings[0].severity == Severity::flag);
  CHECK(reading.findings[0].place == "/games/" + kind + "/data/0" + row.place);
}

TEST_CASE("the policy's gap decides what is a slip", "[validators]") {
  const FillingPolicy narrow{.letters_max = 1};
  CHECK(check_near_expansion("маши..ая вязка", "машинная вязка", narrow) == NearExpansion::almost);
  CHECK(check_pair_expansion("маши..ая вязка", "машинная вязка", narrow) ==
        Expansion::does_not_expand);
  const FillingPolicy hyphens{.letters_max = 6, .also = "-"};
  CHECK(check_near_expansion("кто..то пришёл", "кто-то пришол", hyphens) == NearExpansion::almost);
}
