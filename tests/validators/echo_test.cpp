#include "validators/echo.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/validators/games.h"
#include "validators/read_package.h"

using namespace flagman::validators;

namespace {

using Texts = std::vector<std::string>;

Texts echoes(const std::string& game) {
  const auto reading = read_package(R"({"format":"flagman.package/1","games":{)" + game + "}}",
                                    flagman::tests::ten_kinds(), {});
  std::vector<const Item*> items;
  for (const auto& item : reading.package.games.at(0).items) items.push_back(&item);
  return echo_texts(*reading.package.games.at(0).kind, items);
}

}  // namespace

TEST_CASE("each kind is echoed by the words that tell its items apart", "[validators]") {
  struct Row {
    const char* why;
    std::string game;
    Texts want;
  };
  const auto row = GENERATE(values<Row>({
      {"a question of its own is enough",
       R"("quiz":{"data":[{"q":"Где Н?","options":["а","б"],"key":0},{"q":"Где НН?","options":["а","б"],"key":0}]})",
       {"Где Н?", "Где НН?"}},
      {"questions with the same words are echoed with their options in the author's order",
       R"("quiz":{"data":[{"q":"Где НН?","options":["б","а"],"key":0},{"q":"Иной","options":["а","б"],"key":0},{"q":"Где НН?","options":["в","г","д"],"key":0}]})",
       {"Где НН? | б | а", "Иной", "Где НН? | в | г | д"}},
      {"the same words are the same by tidy, the author's spelling is what is shown",
       R"("quiz":{"data":[{"q":"Где…?","options":["а","б"],"key":0},{"q":"Где..? ","options":["в","г"],"key":0}]})",
       {"Где…? | а | б", "Где..?  | в | г"}},
      {"case parts questions",
       R"("quiz":{"data":[{"q":"где","options":["а","б"],"key":0},{"q":"Где","options":["в","г"],"key":0}]})",
       {"где", "Где"}},
      {"an item with a wrong key still stands in the game",
       R"("quiz":{"data":[{"q":"в","options":["а","б"],"key":9},{"q":"в","options":["в","г"],"key":0}]})",
       {"в | а | б", "в | в | г"}},
      {"an item without a face has no echo and repeats nothing",
       R"("quiz":{"data":[{"q":"в","options":7,"key":0},{"q":"в","options":["в","г"],"key":0}]})",
       {"", "в"}},
      {"odd one out: its words in the author's order, whatever its question",
       R"("odd_one_out":{"data":[{"q":"?","words":["в","а","б"],"key":0},{"words":["г","а","б"],"key":0}]})",
       {"в; а; б", "г; а; б"}},
      {"a bare text", R"("wheel":{"data":["путни…ца",7]})", {"путни…ца", ""}},
      {"only quizzes are told apart by options",
       R"("order":{"data":[{"q":"в","steps":["а","б"]},{"q":"в","steps":["в","г"]}]})",
       {"в", "в"}},
      {"the left side, though it stands twice",
       R"("pairs":{"data":[{"left":"а..","right":"аб"},{"left":"а..","right":"ав"}]})",
       {"а..", "а.."}},
      {"the first side of a memory pair",
       R"("memory":{"data":[{"a":"лев","b":"зверь"}]})",
       {"лев"}},
      {"the statement",
       R"("lie_detector":{"data":[{"s":"Дважды два\nчетыре","key":"truth"}]})",
       {"Дважды два\nчетыре"}},
      {"the word", R"("spotlight":{"data":[{"w":"ветре…ый","key":"skip"}]})", {"ветре…ый"}},
      {"the word of a basket",
       R"("sort":{"baskets":["а","б"],"data":[{"w":"ю..ый","key":"а"}]})",
       {"ю..ый"}},
      {"the question of a short answer", R"("gap":{"data":[{"q":"6/8?","key":"3/4"}]})", {"6/8?"}},
  }));
  CAPTURE(row.why);
  CHECK(echoes(row.game) == row.want);
}

TEST_CASE("a settled item's text counts as it stands now", "[validators]") {
  const auto reading = read_package(
      R"({"format":"flagman.package/1","games":{"quiz":{"data":[
          {"q":"в","options":["а","б"],"key":0},{"q":"г","options":["д","е"],"key":0}]}}})",
      flagman::tests::ten_kinds(), {});
  const auto& game = reading.package.games.at(0);
  const auto rebuilt = read_item(R"({"q":"в","options":["ж","з"],"key":1})", *game.kind, game.terms,
                                 {"quiz", 1}, {});
  CHECK(echo_texts(*game.kind, {&game.items[0], &game.items[1]}) == Texts{"в", "г"});
  CHECK(echo_texts(*game.kind, {&game.items[0], &rebuilt}) == Texts{"в | а | б", "в | ж | з"});
}
