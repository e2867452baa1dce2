#include "validators/echo.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/validators/games.h"
#include "validators/read_package.h"

using namespace flagman::validators;

namespace {

std::vector<std::string> echoes(const std::string& game) {
  const auto reading = read_package(R"({"format":"flagman.package/1","games":{)" + game + "}}",
                                    flagman::tests::ten_kinds());
  std::vector<const Item*> items;
  for (const auto& item : reading.package.games.at(0).items) items.push_back(&item);
  return echo_texts(*reading.package.games.at(0).kind, items);
}

}  // namespace

TEST_CASE("questions with the same words are echoed with their options", "[validators]") {
  CHECK(
      echoes(
          R"("quiz":{"data":[{"q":"Где НН?","options":["а","б"],"key":0},{"q":"Где НН? ","options":["в","г"],"key":0},
      {"q":"Иной","options":["а","б"],"key":0},{"q":"Где НН?","options":["д","е"],"key":9}]})") ==
      std::vector<std::string>{"Где НН? | а | б", "Где НН?  | в | г", "Иной", "Где НН? | д | е"});
}

TEST_CASE("other kinds are echoed by their text, or their words", "[validators]") {
  CHECK(echoes(R"("odd_one_out":{"data":[{"q":"?","words":["в","а","б"],"key":0}]})") ==
        std::vector<std::string>{"в; а; б"});
  CHECK(echoes(R"("wheel":{"data":["а",7]})") == std::vector<std::string>{"а", ""});
  CHECK(echoes(R"("memory":{"data":[{"a":"а","b":"б"},{"a":"а","b":"б"}]})") ==
        std::vector<std::string>{"а", "а"});
}
