#include "validators/read_package.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/validators/games.h"

using namespace flagman::validators;
using flagman::tests::ten_kinds;

namespace {

std::string package(const std::string& games) {
  return R"({"format":"flagman.package/1","games":{)" + games + "}}";
}

std::string repeated(const std::string& unit, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += unit;
  return text;
}

std::string many_items(int count) {
  std::string data;
  for (int i = 0; i < count; ++i)
    data += (i > 0 ? ",\"слово " : "\"слово ") + std::to_string(i) + "\"";
  return package(R"("wheel":{"data":[)" + data + "]}");
}

const char* whole =
    R"({"format":"flagman.package/1","id":"p","topic":"т","subject":"с","grade":9,"language":"ru","teacher":"t",
"games":{
"quiz":{"data":[{"q":"Где НН?\nВыберите","options":["дли..ый","ю..ый"],"key":0,"asks":"нн"}],"fillings":["н","нн"]},
"sort":{"baskets":["Одна Н","Две НН"],"fillings":{"Одна Н":"н","Две НН":"нн"},"data":[{"w":"маши…ый","key":"Две НН"}]},
"lie_detector":{"data":[{"s":"Дважды два\nчетыре","key":"truth"}]},
"spotlight":{"rule":"Ловите\nНН","data":[{"w":"ветре…ый","key":"skip"}]},
"pairs":{"data":[{"left":"маши..ая","right":"машинная"}]},
"memory":{"data":[{"a":"лев","b":"зверь"}]},
"wheel":{"data":["путни..ца"]},
"gap":{"data":[{"q":"6/8?","key":"3/4","accept":["0,75"]}]},
"order":{"data":[{"q":"Числа","steps":["один","два"]}]},
"odd_one_out":{"data":[{"q":"Лишнее?","words":["а","б","в"],"key":2}]}},"extra":{"kept":[1.5]}})";

}  // namespace

TEST_CASE("a sound package of all ten games has no finding", "[validators]") {
  const auto reading = read_package(whole, ten_kinds());
  for (const auto& finding : reading.findings) {
    CAPTURE(finding.place, finding.detail);
    CHECK(name_of(finding.code) == "");
  }
  REQUIRE(reading.package.games.size() == 10);
  CHECK(reading.package.games[0].kind->name == "quiz");
  CHECK(reading.package.grade == 9);
  const auto& quiz = reading.package.games[0].items[0];
  CHECK(std::get<std::string>(quiz.key->answer()) == "дли..ый");
  CHECK(quiz.key_written == "0");
  CHECK(quiz.face->text_with_options == "Где НН?\nВыберите | дли..ый | ю..ый");
  const auto& order = reading.package.games[8].items[0];
  CHECK(order.face->options == std::vector<std::string>{"два", "один"});
  CHECK(std::get<std::vector<std::string>>(order.key->answer()) ==
        std::vector<std::string>{"один", "два"});
  CHECK(reading.package.games[9].items[0].face->text == "а; б; в");
  CHECK(read_package("\xEF\xBB\xBF" + std::string{whole}, ten_kinds()).findings.empty());
}

TEST_CASE("a fault of the document or of a game rejects the package", "[validators]") {
  struct Row {
    const char* why;
    std::string text;
    Reason code;
    std::string place;
  };
  const auto row = GENERATE(values<Row>({
      {"empty", "", Reason::bad_json, ""},
      {"no JSON", "hello", Reason::bad_json, ""},
      {"a name twice", R"({"format":"flagman.package/1","format":"flagman.package/1"})",
       Reason::bad_json, "/format"},
      {"a lone surrogate", R"({"format":"\ud83e"})", Reason::bad_json, "/format"},
      {"NaN", R"({"weight":NaN})", Reason::bad_json, "/weight"},
      {"two documents", package(R"("wheel":{"data":["а"]})") + "{}", Reason::bad_json, ""},
      {"not UTF-8", "{\"a\":\"\xFF\"}", Reason::bad_json, "/a"},
      {"too deep", R"({"a":)" + std::string(64, '[') + std::string(64, ']') + "}", Reason::bad_json,
       ""},
      {"an array", "[]", Reason::wrong_type, ""},
      {"no format", R"({"games":{"wheel":{"data":["а"]}}})", Reason::missing_field, "/format"},
      {"another format", R"({"format":"flagman.package/2","games":{"wheel":{"data":["а"]}}})",
       Reason::wrong_format, "/format"},
      {"no games", R"({"format":"flagman.package/1"})", Reason::missing_field, "/games"},
      {"games is a list", R"({"format":"flagman.package/1","games":[]})", Reason::wrong_type,
       "/games"},
      {"games is empty", package(""), Reason::too_few, "/games"},
      {"an unknown kind", package(R"("bingo":{"data":["а"]})"), Reason::unknown_field,
       "/games/bingo"},
      {"a game is a list", package(R"("wheel":["а"])"), Reason::wrong_type, "/games/wheel"},
      {"no data", package(R"("wheel":{})"), Reason::missing_field, "/games/wheel/data"},
      {"data is a text", package(R"("wheel":{"data":"а"})"), Reason::wrong_type,
       "/games/wheel/data"},
      {"no items", package(R"("wheel":{"data":[]})"), Reason::too_few, "/games/wheel/data"},
      {"201 items", many_items(201), Reason::too_many, "/games/wheel/data"},
      {"no baskets", package(R"("sort":{"data":[{"w":"а","key":"б"}]})"), Reason::missing_field,
       "/games/sort/baskets"},
      {"one basket", package(R"("sort":{"baskets":["б"],"data":[{"w":"а","key":"б"}]})"),
       Reason::too_few, "/games/sort/baskets"},
      {"six baskets",
       package(R"("sort":{"baskets":["а","б","в","г","д","е"],"data":[{"w":"а","key":"б"}]})"),
       Reason::too_many, "/games/sort/baskets"},
      {"equal baskets", package(R"("sort":{"baskets":["б","б "],"data":[{"w":"а","key":"б"}]})"),
       Reason::duplicate_option, "/games/sort/baskets/1"},
      {"an empty basket", package(R"("sort":{"baskets":["б"," "],"data":[{"w":"а","key":"б"}]})"),
       Reason::empty_text, "/games/sort/baskets/1"},
      {"a basket is a number",
       package(R"("sort":{"baskets":["б",2],"data":[{"w":"а","key":"б"}]})"), Reason::wrong_type,
       "/games/sort/baskets/1"},
      {"grade is a text",
       R"({"format":"flagman.package/1","grade":"9","games":{"wheel":{"data":["а"]}}})",
       Reason::wrong_type, "/grade"},
      {"teacher is a number",
       R"({"format":"flagman.package/1","teacher":1,"games":{"wheel":{"data":["а"]}}})",
       Reason::wrong_type, "/teacher"},
      {"a rule with a tab",
       package(R"("spotlight":{"rule":"а\tб","data":[{"w":"а","key":"skip"}]})"),
       Reason::forbidden_character, "/games/spotlight/rule"},
      {"over 16 MiB", std::string(package_bytes_max + 1, ' '), Reason::too_long, ""},
  }));
  CAPTURE(row.why);
  const auto reading = read_package(row.text, ten_kinds());
  CHECK(reading.rejected());
  CHECK(reading.package.games.empty());
  REQUIRE_FALSE(reading.findings.empty());
  const auto& finding = reading.findings.front();
  CHECK(name_of(finding.code) == name_of(row.code));
  CHECK(finding.severity == Severity::reject);
  CHECK_FALSE(finding.item);
  if (!row.place.empty()) CHECK(finding.place == row.place);
}

TEST_CASE("a fault of an item flags that item alone", "[validators]") {
  struct Row {
    const char* why;
    std::string game;
    Reason code;
    std::string place;
    std::string key;
  };
  const auto quiz = [](const std::string& rest) {
    return R"("quiz":{"data":[{"q":"в","options":["а","б"],)" + rest + "}]}";
  };
  const auto row = GENERATE_COPY(values<Row>({
      {"an item is a text", R"("quiz":{"data":["в"]})", Reason::wrong_type, "", "null"},
      {"an item is an object", R"("wheel":{"data":[{}]})", Reason::wrong_type, "", "null"},
      {"no text", R"("quiz":{"data":[{"options":["а","б"],"key":0}]})", Reason::missing_field, "/q",
       "0"},
      {"text is a number", R"("sort":{"baskets":["а","б"],"data":[{"w":7,"key":"а"}]})",
       Reason::wrong_type, "/w", "\"а\""},
      {"an empty text", R"("wheel":{"data":["\u00a0"]})", Reason::empty_text, "", "null"},
      {"501 characters", R"("wheel":{"data":[")" + repeated("а\u0301", 501) + "\"]}",
       Reason::too_long, "", "null"},
      {"a line break in a word", R"("wheel":{"data":["а\nб"]})", Reason::forbidden_character, "",
       "null"},
      {"NUL", R"("wheel":{"data":["машин\u0000ный"]})", Reason::forbidden_character, "", "null"},
      {"an unknown field", quiz(R"("key":0,"hint":"а")"), Reason::unknown_field, "/hint", "0"},
      {"no key", R"("quiz":{"data":[{"q":"в","options":["а","б"]}]})", Reason::missing_field,
       "/key", "null"},
      {"key behind the options", quiz(R"("key":2)"), Reason::key_outside_domain, "/key", "2"},
      {"key below zero", quiz(R"("key":-1)"), Reason::key_outside_domain, "/key", "-1"},
      {"key 2^63", quiz(R"("key":9223372036854775808)"), Reason::key_outside_domain, "/key",
       "9223372036854775808"},
      {"key is a text", quiz(R"("key":"0")"), Reason::wrong_type, "/key", "\"0\""},
      {"key is a fraction", quiz(R"("key":1.0)"), Reason::wrong_type, "/key", "1.0"},
      {"key has an exponent", quiz(R"("key":1e0)"), Reason::wrong_type, "/key", "1.0"},
      {"two keys in a list", quiz(R"("key":[0,1])"), Reason::wrong_type, "/key", "[0,1]"},
      {"asks is a number", quiz(R"("key":0,"asks":2)"), Reason::wrong_type, "/asks", "0"},
      {"options is a text", R"("quiz":{"data":[{"q":"в","options":"аб","key":0}]})",
       Reason::wrong_type, "/options", "0"},
      {"an option is null", R"("quiz":{"data":[{"q":"в","options":["а",null],"key":0}]})",
       Reason::wrong_type, "/options/1", "0"},
      {"one option", R"("quiz":{"data":[{"q":"в","options":["а"],"key":0}]})", Reason::too_few,
       "/options", "0"},
      {"seven options",
       R"("quiz":{"data":[{"q":"в","options":["1","2","3","4","5","6","7"],"key":0}]})",
       Reason::too_many, "/options", "0"},
      {"equal options", R"("quiz":{"data":[{"q":"в","options":["ёж","еж"],"key":0}]})",
       Reason::duplicate_option, "/options/1", "0"},
      {"an empty option", R"("quiz":{"data":[{"q":"в","options":["а",""],"key":0}]})",
       Reason::empty_text, "/options/1", "0"},
      {"an option of 121 characters",
       R"("quiz":{"data":[{"q":"в","options":["а",")" + repeated("б", 121) + R"("],"key":0}]})",
       Reason::too_long, "/options/1", "0"},
      {"a label that is no basket",
       R"("sort":{"baskets":["Одна Н","Две НН"],"data":[{"w":"а","key":"Две Н"}]})",
       Reason::key_outside_domain, "/key", "\"Две Н\""},
      {"another fixed label", R"("lie_detector":{"data":[{"s":"а","key":"Truth"}]})",
       Reason::key_outside_domain, "/key", "\"Truth\""},
      {"a label is a number", R"("spotlight":{"data":[{"w":"а","key":1}]})", Reason::wrong_type,
       "/key", "1"},
      {"no partner", R"("pairs":{"data":[{"left":"а"}]})", Reason::missing_field, "/right", "null"},
      {"an empty partner", R"("memory":{"data":[{"a":"а","b":""}]})", Reason::empty_text, "/b",
       "\"\""},
      {"an empty short answer", R"("gap":{"data":[{"q":"в","key":" "}]})", Reason::empty_text,
       "/key", "\" \""},
      {"accept is a text", R"("gap":{"data":[{"q":"в","key":"а","accept":"б"}]})",
       Reason::wrong_type, "/accept", "\"а\""},
      {"one step", R"("order":{"data":[{"q":"в","steps":["а"]}]})", Reason::too_few, "/steps",
       "[\"а\"]"},
      {"eleven steps",
       R"("order":{"data":[{"q":"в","steps":["1","2","3","4","5","6","7","8","9","10","11"]}]})",
       Reason::too_many, "/steps", R"(["1","2","3","4","5","6","7","8","9","10","11"])"},
      {"two words", R"("odd_one_out":{"data":[{"words":["а","б"],"key":0}]})", Reason::too_few,
       "/words", "0"},
      {"q is a number", R"("odd_one_out":{"data":[{"q":1,"words":["а","б","в"],"key":0}]})",
       Reason::wrong_type, "/q", "0"},
      {"no gap though the game fills some",
       R"("sort":{"baskets":["а","б"],"fillings":{"а":"н"},"data":[{"w":"слово","key":"а"}]})",
       Reason::gap_missing, "", "\"а\""},
  }));
  CAPTURE(row.why);
  const auto reading = read_package(package(row.game), ten_kinds());
  CHECK_FALSE(reading.rejected());
  REQUIRE(reading.package.games.size() == 1);
  const auto& item = reading.package.games[0].items.at(0);
  CHECK_FALSE(item.sound());
  REQUIRE(item.findings.size() == 1);
  CHECK(name_of(item.findings[0].code) == name_of(row.code));
  CHECK(item.findings[0].severity == Severity::flag);
  CHECK(item.findings[0].place == row.place);
  CHECK(item.key_written == row.key);
  REQUIRE(reading.findings.size() == 1);
  const auto kind = reading.package.games[0].kind->name;
  CHECK(reading.findings[0].place == "/games/" + kind + "/data/0" + row.place);
}

TEST_CASE("limits hold at their ends", "[validators]") {
  const auto text = GENERATE_COPY(values<std::string>({
      many_items(200),
      package(R"("wheel":{"data":[")" + repeated("а\u0301", 500) + "\"]}"),
      package(R"("quiz":{"data":[{"q":"в","options":["а",")" + repeated("б", 120) +
              R"("],"key":1}]})"),
      package(R"("quiz":{"data":[{"q":"в","options":["1","2","3","4","5","6"],"key":5}]})"),
      package(R"("order":{"data":[{"q":"в","steps":["1","2","3","4","5","6","7","8","9","10"]}]})"),
      package(R"("order":{"data":[{"q":"в","steps":["1",")" + repeated("б", 500) + R"("]}]})"),
      package(R"("sort":{"baskets":["а","б","в","г","д"],"data":[{"w":"а","key":" д "}]})"),
      package(
          R"("quiz":{"data":[{"q":"Где НН?","options":["дли..ый","ю..ый"],"key":0}],"fillings":["н","нн"]})"),
  }));
  const auto reading = read_package(text, ten_kinds());
  CAPTURE(text.substr(0, 200));
  CHECK(reading.findings.empty());
  CHECK(reading.package.games.size() == 1);
}

TEST_CASE("a delivered revision is read as strictly as a package", "[validators]") {
  const auto reading = read_package(
      package(R"("sort":{"baskets":["а","б"],"data":[{"w":"x","key":"а"}]})"), ten_kinds());
  const auto& game = reading.package.games.at(0);
  const auto read = [&](const std::string& text) {
    return read_item(text, *game.kind, game.terms, {"sort", 0});
  };
  CHECK(read(R"({"w":"y","key":"б"})").sound());
  CHECK(read(R"({"w":"y","key":"в"})").findings.at(0).code == Reason::key_outside_domain);
  CHECK(read(R"({"w":"y","w":"z","key":"б"})").findings.at(0).code == Reason::bad_json);
  CHECK(read("").findings.at(0).code == Reason::bad_json);
  CHECK(read("\xFF").key_written == "null");
  CHECK(read(R"({"w":"y","key":"б"})").written == R"({"w":"y","key":"б"})");
}
