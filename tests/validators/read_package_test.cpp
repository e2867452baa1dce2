#include "validators/read_package.h"

#include <rapidcheck.h>
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tests/validators/games.h"

using namespace flagman::validators;
using flagman::tests::ten_kinds;

namespace {

std::string package(const std::string& games) {
  return R"({"format":"flagman.package/1","games":{)" + games + "}}";
}

// A package with a further field of the document.
std::string document(const std::string& field) {
  return R"({"format":"flagman.package/1",)" + field + R"(,"games":{"wheel":{"data":["а"]}}})";
}

std::string repeated(std::string_view unit, int times) {
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

std::string padded(std::size_t size) {
  auto text = package(R"("wheel":{"data":["а"]})");
  text.resize(size, ' ');
  return text;
}

std::string nested(int depth) { return repeated("[", depth) + repeated("]", depth); }

// The one item of a game of that kind.
std::string quiz(const std::string& rest) {
  return R"("quiz":{"data":[{"q":"в","options":["а","б"],)" + rest + "}]}";
}
std::string quiz_options(const std::string& options) {
  return R"("quiz":{"data":[{"q":"в","options":)" + options + R"(,"key":0}]})";
}
std::string sort(const std::string& item) {
  return R"("sort":{"baskets":["Одна Н","Две НН"],"data":[)" + item + "]}";
}
std::string game(const std::string& kind, const std::string& item) {
  return "\"" + kind + R"(":{"data":[)" + item + "]}";
}
std::string wheel(const std::string& text) { return game("wheel", "\"" + text + "\""); }

const char* const whole =
    R"({"format":"flagman.package/1","id":"p","topic":"т","subject":"с","grade":9,"language":"ru","teacher":"t",
"games":{
"quiz":{"data":[{"q":"Где НН?\nВыберите","options":["ю..ый","дли..ый"],"key":1,"asks":"нн"}],"fillings":["н","нн"]},
"sort":{"baskets":["Одна Н","Две НН"],"fillings":{"Одна Н":"н","Две НН":"нн"},"data":[{"w":"маши…ый","key":"Две НН"}]},
"lie_detector":{"data":[{"s":"Дважды два\nчетыре","key":"truth"}]},
"spotlight":{"rule":"Ловите\nНН","data":[{"w":"ветре…ый","key":"skip"}]},
"pairs":{"data":[{"left":"маши..ая","right":"машинная"}]},
"memory":{"data":[{"a":"лев","b":"зверь"}]},
"wheel":{"data":["путни..ца"]},
"gap":{"data":[{"q":"6/8?","key":"3/4","accept":["0,75"]}]},
"order":{"data":[{"q":"Числа","steps":["один","два"]}]},
"odd_one_out":{"data":[{"q":"Лишнее?","words":["в","а","б"],"key":2}]}},"extra":{"kept":[1.5]}})";

}  // namespace

TEST_CASE("a sound package of all ten games has no finding", "[validators]") {
  const auto reading = read_package(whole, ten_kinds(), {});
  for (const auto& finding : reading.findings) {
    CAPTURE(finding.place, finding.detail);
    CHECK(name_of(finding.code) == "");
  }
  CHECK_FALSE(reading.rejected());
  std::vector<std::string> kinds;
  for (const auto& read : reading.package.games) {
    kinds.push_back(read.kind->name);
    REQUIRE(read.items.size() == 1);
    CHECK(read.items[0].sound());
  }
  CHECK(kinds == std::vector<std::string>{"quiz", "sort", "lie_detector", "spotlight", "pairs",
                                          "memory", "wheel", "gap", "order", "odd_one_out"});
  CHECK(reading.package.id == "p");
  CHECK(reading.package.topic == "т");
  CHECK(reading.package.subject == "с");
  CHECK(reading.package.grade == 9);
  CHECK(reading.package.language == "ru");
  CHECK(reading.package.teacher == "t");
}

TEST_CASE("what an item shows and what stays with it are read apart", "[validators]") {
  using Texts = std::vector<std::string>;
  struct Row {
    const char* kind;
    std::string text, question;
    Texts options;
    Answer key;
    std::string key_written;
  };
  const auto row = GENERATE(values<Row>({
      {"quiz", "Где НН?\nВыберите", "", {"дли..ый", "ю..ый"}, "дли..ый", "1"},
      {"sort", "маши…ый", "", {}, "Две НН", "\"Две НН\""},
      {"lie_detector", "Дважды два\nчетыре", "", {}, "truth", "\"truth\""},
      {"spotlight", "ветре…ый", "", {}, "skip", "\"skip\""},
      {"pairs", "маши..ая", "", {}, "машинная", "\"машинная\""},
      {"memory", "лев", "", {}, "зверь", "\"зверь\""},
      {"wheel", "путни..ца", "", {}, std::monostate{}, "null"},
      {"gap", "6/8?", "", {}, "3/4", "\"3/4\""},
      {"order", "Числа", "", {"два", "один"}, Texts{"один", "два"}, "[\"один\",\"два\"]"},
      {"odd_one_out", "в; а; б", "Лишнее?", {"а", "б", "в"}, "б", "2"},
  }));
  CAPTURE(row.kind);
  const auto reading = read_package(whole, ten_kinds(), {});
  const auto read = std::find_if(reading.package.games.begin(), reading.package.games.end(),
                                 [&](const Game& one) { return one.kind->name == row.kind; });
  REQUIRE(read != reading.package.games.end());
  const auto& item = read->items.at(0);
  REQUIRE(item.face);
  REQUIRE(item.key);
  CHECK(item.face->text == row.text);
  CHECK(item.face->question == row.question);
  CHECK(item.face->options == row.options);
  CHECK((item.key->answer() == row.key));
  CHECK(item.key_written() == row.key_written);
  CHECK(item.key->accept() == (read->kind->name == "gap" ? Texts{"0,75"} : Texts{}));
  CHECK(item.asks.value_or("-") == (read->kind->name == "quiz" ? "нн" : "-"));
}

TEST_CASE("what the items of a game share is read once", "[validators]") {
  const auto reading = read_package(whole, ten_kinds(), {});
  const auto& games = reading.package.games;
  const auto& sorting = games.at(1).terms;
  CHECK(sorting.labels == std::vector<std::string>{"Одна Н", "Две НН"});
  CHECK(sorting.fillings == std::map<std::string, std::string>{{"Одна Н", "н"}, {"Две НН", "нн"}});
  CHECK(sorting.has_fillings);
  CHECK(sorting.written() ==
        R"({"baskets":["Одна Н","Две НН"],"fillings":{"Одна Н":"н","Две НН":"нн"}})");
  CHECK(games.at(0).terms.has_fillings);
  CHECK(games.at(2).terms.labels == std::vector<std::string>{"truth", "lie"});
  CHECK(games.at(3).terms.labels == std::vector<std::string>{"catch", "skip"});
  CHECK(games.at(3).terms.texts == std::map<std::string, std::string>{{"rule", "Ловите\nНН"}});
  CHECK_FALSE(games.at(3).terms.has_fillings);
  CHECK(games.at(6).terms.written() == "{}");
}

TEST_CASE("a kind's own fillings stand where the game gives none, and ask for no gap",
          "[validators]") {
  auto parsed = parse_kinds(R"({"format":"flagman.games/1","kinds":{"own":{"answer":"label",
      "item":{"text":"w","key":"key"},
      "labels":{"fixed":["Одна","Две"],"fillings":{"Одна":"н","Две":"нн"}}}}})");
  REQUIRE(parsed);
  const auto kinds = std::make_shared<const Kinds>(std::move(*parsed));
  const auto plain = read_package(package(R"("own":{"data":[{"w":"а","key":"Две"}]})"), kinds, {});
  CHECK(plain.findings.empty());
  CHECK(plain.package.games.at(0).terms.fillings.at("Две") == "нн");
  const auto given = read_package(
      package(R"("own":{"fillings":{"Две ":"ннн"},"data":[{"w":"а..","key":"Две"}]})"), kinds, {});
  CHECK(given.findings.empty());
  CHECK(given.package.games.at(0).terms.fillings.at("Две") == "ннн");
  CHECK(given.package.games.at(0).terms.fillings.at("Одна") == "н");
}

TEST_CASE("a fault of the document or of a game rejects the package", "[validators]") {
  using namespace std::string_literals;
  struct Row {
    const char* why;
    std::string text;
    Reason code;
    std::string place;
  };
  const auto good = package(wheel("а"));
  const auto row = GENERATE_COPY(values<Row>({
      // No JSON.
      {"nothing", "", Reason::bad_json, ""},
      {"words", "hello", Reason::bad_json, ""},
      {"cut", good.substr(0, good.size() - 1), Reason::bad_json, "/games"},
      {"a name twice", R"({"format":"flagman.package/1","format":"flagman.package/1"})",
       Reason::bad_json, "/format"},
      {"a kind of game twice", package(wheel("а") + "," + wheel("б")), Reason::bad_json,
       "/games/wheel"},
      {"two keys of one item", package(quiz(R"("key":0,"key":1)")), Reason::bad_json,
       "/games/quiz/data/0/key"},
      {"a lone surrogate", package(wheel("лев \\ud83e")), Reason::bad_json, "/games/wheel/data/0"},
      {"NaN", document(R"("weight":NaN)"), Reason::bad_json, "/weight"},
      {"two documents", good + good, Reason::bad_json, ""},
      {"words behind the document", good + " ok", Reason::bad_json, ""},
      {"a NUL behind the document", good + "\0"s, Reason::bad_json, ""},
      {"a document behind a NUL", good + "\0"s + good, Reason::bad_json, ""},
      {"a NUL in a text", package(wheel("машин\0ный"s)), Reason::bad_json, "/games/wheel/data/0"},
      {"a raw line break in a text", package(wheel("а\nб")), Reason::bad_json,
       "/games/wheel/data/0"},
      {"not UTF-8", package(wheel("а\xFF")), Reason::bad_json, "/games/wheel/data/0"},
      {"two byte order marks", "\xEF\xBB\xBF\xEF\xBB\xBF" + good, Reason::bad_json, ""},
      {"UTF-16", "\xFF\xFE{\0}\0"s, Reason::bad_json, ""},
      {"depth 65", document(R"("a":)" + nested(64)), Reason::bad_json, "/a" + repeated("/0", 63)},
      {"a number beyond a double", document(R"("a":1e999)"), Reason::bad_json, "/a"},
      {"over 16 MiB", padded(package_bytes_max + 1), Reason::too_long, ""},
      // No package.
      {"an array", "[]", Reason::wrong_type, ""},
      {"null", "null", Reason::wrong_type, ""},
      {"no format", R"({"games":{"wheel":{"data":["а"]}}})", Reason::missing_field, "/format"},
      {"another format", R"({"format":"flagman.package/2","games":{"wheel":{"data":["а"]}}})",
       Reason::wrong_format, "/format"},
      {"a format that is no text", R"({"format":1,"games":{"wheel":{"data":["а"]}}})",
       Reason::wrong_format, "/format"},
      {"id is a number", document(R"("id":7)"), Reason::wrong_type, "/id"},
      {"topic is null", document(R"("topic":null)"), Reason::wrong_type, "/topic"},
      {"subject is a list", document(R"("subject":[])"), Reason::wrong_type, "/subject"},
      {"language is an object", document(R"("language":{})"), Reason::wrong_type, "/language"},
      {"teacher is a number", document(R"("teacher":1)"), Reason::wrong_type, "/teacher"},
      {"grade is a text", document(R"("grade":"9")"), Reason::wrong_type, "/grade"},
      {"grade is a fraction", document(R"("grade":9.0)"), Reason::wrong_type, "/grade"},
      {"grade is below zero", document(R"("grade":-1)"), Reason::wrong_type, "/grade"},
      {"grade wraps round", document(R"("grade":4294967305)"), Reason::wrong_type, "/grade"},
      {"a topic of 501 characters", document(R"("topic":")" + repeated("т", 501) + "\""),
       Reason::too_long, "/topic"},
      {"a topic with a line break", document(R"("topic":"а\nб")"), Reason::forbidden_character,
       "/topic"},
      {"an id with a NUL", document(R"("id":"а\u0000")"), Reason::forbidden_character, "/id"},
      {"a teacher with a direction mark", document(R"("teacher":"\u200ft")"),
       Reason::forbidden_character, "/teacher"},
      // No games.
      {"no games", R"({"format":"flagman.package/1"})", Reason::missing_field, "/games"},
      {"games is a list", R"({"format":"flagman.package/1","games":[]})", Reason::wrong_type,
       "/games"},
      {"games is empty", package(""), Reason::too_few, "/games"},
      {"an unknown kind", package(game("bingo", "\"а\"")), Reason::unknown_field, "/games/bingo"},
      {"a kind in another case", package(game("Wheel", "\"а\"")), Reason::unknown_field,
       "/games/Wheel"},
      {"a kind's name is escaped in its place", package(game("a/b~", "\"а\"")),
       Reason::unknown_field, "/games/a~1b~0"},
      {"a game is a list", package(R"("wheel":["а"])"), Reason::wrong_type, "/games/wheel"},
      {"no data", package(R"("wheel":{})"), Reason::missing_field, "/games/wheel/data"},
      {"data is a text", package(R"("wheel":{"data":"а"})"), Reason::wrong_type,
       "/games/wheel/data"},
      {"no items", package(R"("wheel":{"data":[]})"), Reason::too_few, "/games/wheel/data"},
      {"201 items", many_items(201), Reason::too_many, "/games/wheel/data"},
      {"one bad game among good ones", package(wheel("а") + R"(,"gap":{"data":[]})"),
       Reason::too_few, "/games/gap/data"},
      // What the items of a game share.
      {"no baskets", package(game("sort", R"({"w":"а","key":"б"})")), Reason::missing_field,
       "/games/sort/baskets"},
      {"baskets is a text", package(R"("sort":{"baskets":"аб","data":[{"w":"а","key":"а"}]})"),
       Reason::wrong_type, "/games/sort/baskets"},
      {"one basket", package(R"("sort":{"baskets":["б"],"data":[{"w":"а","key":"б"}]})"),
       Reason::too_few, "/games/sort/baskets"},
      {"six baskets",
       package(R"("sort":{"baskets":["а","б","в","г","д","е"],"data":[{"w":"а","key":"б"}]})"),
       Reason::too_many, "/games/sort/baskets"},
      {"equal baskets", package(R"("sort":{"baskets":["ёж","еж "],"data":[{"w":"а","key":"ёж"}]})"),
       Reason::duplicate_option, "/games/sort/baskets/1"},
      {"an empty basket", package(R"("sort":{"baskets":["б"," "],"data":[{"w":"а","key":"б"}]})"),
       Reason::empty_text, "/games/sort/baskets/1"},
      {"a basket is a number",
       package(R"("sort":{"baskets":["б","в",2],"data":[{"w":"а","key":"б"}]})"),
       Reason::wrong_type, "/games/sort/baskets/2"},
      {"a basket with a line break",
       package(R"("sort":{"baskets":["б","в\nг"],"data":[{"w":"а","key":"б"}]})"),
       Reason::forbidden_character, "/games/sort/baskets/1"},
      {"a basket of 501 characters",
       package(R"("sort":{"baskets":["б",")" + repeated("в", 501) +
               R"("],"data":[{"w":"а","key":"б"}]})"),
       Reason::too_long, "/games/sort/baskets/1"},
      {"a rule with a tab",
       package(R"("spotlight":{"rule":"а\tб","data":[{"w":"а","key":"skip"}]})"),
       Reason::forbidden_character, "/games/spotlight/rule"},
      {"a rule is a list", package(R"("spotlight":{"rule":[],"data":[{"w":"а","key":"skip"}]})"),
       Reason::wrong_type, "/games/spotlight/rule"},
      {"a rule of 501 characters",
       package(R"("spotlight":{"rule":")" + repeated("п", 501) +
               R"(","data":[{"w":"а","key":"skip"}]})"),
       Reason::too_long, "/games/spotlight/rule"},
      {"fillings is a text", package(R"("wheel":{"fillings":"н","data":["а.."]})"),
       Reason::wrong_type, "/games/wheel/fillings"},
      {"a filling is a number", package(R"("wheel":{"fillings":["н",2],"data":["а.."]})"),
       Reason::wrong_type, "/games/wheel/fillings/1"},
      {"a label's filling is null",
       package(
           R"("sort":{"baskets":["а","б"],"fillings":{"а":null},"data":[{"w":"в..","key":"а"}]})"),
       Reason::wrong_type, "/games/sort/fillings/а"},
  }));
  CAPTURE(row.why);
  const auto reading = read_package(row.text, ten_kinds(), {});
  CHECK(reading.rejected());
  CHECK(reading.package.games.empty());
  CHECK(reasons_of(reading.findings, Severity::reject) == std::vector<Reason>{row.code});
  REQUIRE_FALSE(reading.findings.empty());
  const auto& finding = reading.findings.front();
  CHECK(name_of(finding.code) == name_of(row.code));
  CHECK(finding.severity == Severity::reject);
  CHECK_FALSE(finding.item);
  CHECK(finding.place == row.place);
  CHECK_FALSE(finding.detail.empty());
}

TEST_CASE("all faults of a document are told at once", "[validators]") {
  const auto reading = read_package(
      R"({"format":"x","grade":"9","games":{"bingo":{},"wheel":{"data":[]},"gap":{}}})",
      ten_kinds(), {});
  std::vector<std::string> places;
  for (const auto& finding : reading.findings) places.push_back(finding.place);
  CHECK(places == std::vector<std::string>{"/format", "/grade", "/games/bingo", "/games/wheel/data",
                                           "/games/gap/data"});
}

TEST_CASE("a fault of an item flags that item alone", "[validators]") {
  struct Row {
    const char* why;
    std::string game;
    Reason code;
    std::string place;
    std::string key;
  };
  const auto line = R"("а\nб")";
  const auto too_long = "\"" + repeated("а", 501) + "\"";
  const auto row = GENERATE_COPY(values<Row>({
      // quiz
      {"an item is a text", game("quiz", "\"в\""), Reason::wrong_type, "", "null"},
      {"an item is a list", game("quiz", R"(["в"])"), Reason::wrong_type, "", "null"},
      {"no question", game("quiz", R"({"options":["а","б"],"key":0})"), Reason::missing_field, "/q",
       "0"},
      {"a question is null", game("quiz", R"({"q":null,"options":["а","б"],"key":0})"),
       Reason::wrong_type, "/q", "0"},
      {"an empty question", game("quiz", R"({"q":" \n ","options":["а","б"],"key":0})"),
       Reason::empty_text, "/q", "0"},
      {"a question with a tab", game("quiz", R"({"q":"а\tб","options":["а","б"],"key":0})"),
       Reason::forbidden_character, "/q", "0"},
      {"a question of 501 characters",
       game("quiz", R"({"q":)" + too_long + R"(,"options":["а","б"],"key":0})"), Reason::too_long,
       "/q", "0"},
      {"no options", game("quiz", R"({"q":"в","key":0})"), Reason::missing_field, "/options", "0"},
      {"options is a text", quiz_options("\"аб\""), Reason::wrong_type, "/options", "0"},
      {"an option is null", quiz_options(R"(["а",null])"), Reason::wrong_type, "/options/1", "0"},
      {"an option is a number", quiz_options(R"(["а",2,"б"])"), Reason::wrong_type, "/options/1",
       "0"},
      {"one option", quiz_options(R"(["а"])"), Reason::too_few, "/options", "0"},
      {"seven options", quiz_options(R"(["1","2","3","4","5","6","7"])"), Reason::too_many,
       "/options", "0"},
      {"equal options", quiz_options(R"(["а","ёж","еж"])"), Reason::duplicate_option, "/options/2",
       "0"},
      {"options equal but for spaces", quiz_options(R"(["дли..ый"," дли…ый"])"),
       Reason::duplicate_option, "/options/1", "0"},
      {"an empty option", quiz_options(R"(["а","","б"])"), Reason::empty_text, "/options/1", "0"},
      {"an option of 121 characters",
       quiz_options(R"(["а",")" + repeated("и\u0306", 121) + R"("])"), Reason::too_long,
       "/options/1", "0"},
      {"an option with a line break", quiz_options(R"(["а","б\nв"])"), Reason::forbidden_character,
       "/options/1", "0"},
      {"no key", game("quiz", R"({"q":"в","options":["а","б"]})"), Reason::missing_field, "/key",
       "null"},
      {"key behind the options", quiz(R"("key":2)"), Reason::key_outside_domain, "/key", "2"},
      {"key below zero", quiz(R"("key":-1)"), Reason::key_outside_domain, "/key", "-1"},
      {"key 2^32", quiz(R"("key":4294967296)"), Reason::key_outside_domain, "/key", "4294967296"},
      {"key 2^63", quiz(R"("key":9223372036854775808)"), Reason::key_outside_domain, "/key",
       "9223372036854775808"},
      {"key 2^64 - 1", quiz(R"("key":18446744073709551615)"), Reason::key_outside_domain, "/key",
       "18446744073709551615"},
      {"key 2^64 does not wrap round to 0", quiz(R"("key":18446744073709551616)"),
       Reason::wrong_type, "/key", "1.8446744073709552e+19"},
      {"key is a text", quiz(R"("key":"0")"), Reason::wrong_type, "/key", "\"0\""},
      {"key is the option's text", quiz(R"("key":"а")"), Reason::wrong_type, "/key", "\"а\""},
      {"key 1.0", quiz(R"("key":1.0)"), Reason::wrong_type, "/key", "1.0"},
      {"key 1e0", quiz(R"("key":1e0)"), Reason::wrong_type, "/key", "1.0"},
      {"key is true", quiz(R"("key":true)"), Reason::wrong_type, "/key", "true"},
      {"key is null", quiz(R"("key":null)"), Reason::wrong_type, "/key", "null"},
      {"two keys in a list", quiz(R"("key":[0,1])"), Reason::wrong_type, "/key", "[0,1]"},
      {"asks is a number", quiz(R"("key":0,"asks":2)"), Reason::wrong_type, "/asks", "0"},
      {"an unknown field", quiz(R"("key":0,"hint":"а")"), Reason::unknown_field, "/hint", "0"},
      {"a known field in another case", quiz(R"("key":0,"Key":1)"), Reason::unknown_field, "/Key",
       "0"},
      {"a field without a name", quiz(R"("key":0,"":1)"), Reason::unknown_field, "/", "0"},
      {"a field's name is escaped in its place", quiz(R"("key":0,"a/b":1)"), Reason::unknown_field,
       "/a~1b", "0"},
      // sort
      {"sort: no word", sort(R"({"key":"Две НН"})"), Reason::missing_field, "/w", "\"Две НН\""},
      {"sort: a word is a number", sort(R"({"w":7,"key":"Две НН"})"), Reason::wrong_type, "/w",
       "\"Две НН\""},
      {"sort: a word with a line break",
       sort(R"({"w":)" + std::string{line} + R"(,"key":"Две НН"})"), Reason::forbidden_character,
       "/w", "\"Две НН\""},
      {"sort: no key", sort(R"({"w":"а"})"), Reason::missing_field, "/key", "null"},
      {"sort: a key is not moved to the nearest basket", sort(R"({"w":"а","key":"Две Н"})"),
       Reason::key_outside_domain, "/key", "\"Две Н\""},
      {"sort: case counts", sort(R"({"w":"а","key":"две нн"})"), Reason::key_outside_domain, "/key",
       "\"две нн\""},
      {"sort: a key is an index", sort(R"({"w":"а","key":1})"), Reason::wrong_type, "/key", "1"},
      {"sort: the kinds' fields differ", sort(R"({"w":"а","key":"Две НН","asks":"н"})"),
       Reason::unknown_field, "/asks", "\"Две НН\""},
      {"sort: no gap though the game has fillings",
       R"("sort":{"baskets":["а","б"],"fillings":{"а":"н"},"data":[{"w":"Слово?..","key":"а"}]})",
       Reason::gap_missing, "", "\"а\""},
      {"quiz: no gap in question or options",
       R"("quiz":{"data":[{"q":"Где?","options":["а.","б"],"key":0}],"fillings":["н"]})",
       Reason::gap_missing, "", "0"},
      {"wheel: no gap", R"("wheel":{"data":["слово"],"fillings":["н"]})", Reason::gap_missing, "",
       "null"},
      {"pairs: a gap on the right is none",
       R"("pairs":{"data":[{"left":"а","right":"б.."}],"fillings":["н"]})", Reason::gap_missing, "",
       "\"б..\""},
      // lie_detector
      {"lie_detector: no statement", game("lie_detector", R"({"key":"lie"})"),
       Reason::missing_field, "/s", "\"lie\""},
      {"lie_detector: an empty statement", game("lie_detector", R"({"s":"\u00a0","key":"lie"})"),
       Reason::empty_text, "/s", "\"lie\""},
      {"lie_detector: no key", game("lie_detector", R"({"s":"а"})"), Reason::missing_field, "/key",
       "null"},
      {"lie_detector: another word", game("lie_detector", R"({"s":"а","key":"Truth"})"),
       Reason::key_outside_domain, "/key", "\"Truth\""},
      {"lie_detector: a boolean", game("lie_detector", R"({"s":"а","key":false})"),
       Reason::wrong_type, "/key", "false"},
      {"lie_detector: the word of another kind",
       game("lie_detector", R"({"s":"а","w":"а","key":"lie"})"), Reason::unknown_field, "/w",
       "\"lie\""},
      // spotlight
      {"spotlight: no word", game("spotlight", R"({"key":"skip"})"), Reason::missing_field, "/w",
       "\"skip\""},
      {"spotlight: a word with a line break", game("spotlight", R"({"w":"а\nб","key":"skip"})"),
       Reason::forbidden_character, "/w", "\"skip\""},
      {"spotlight: the label of another kind", game("spotlight", R"({"w":"а","key":"truth"})"),
       Reason::key_outside_domain, "/key", "\"truth\""},
      {"spotlight: a number", game("spotlight", R"({"w":"а","key":1})"), Reason::wrong_type, "/key",
       "1"},
      {"spotlight: the rule is the game's",
       game("spotlight", R"({"w":"а","key":"skip","rule":"п"})"), Reason::unknown_field, "/rule",
       "\"skip\""},
      // pairs, memory
      {"pairs: no left side", game("pairs", R"({"right":"а"})"), Reason::missing_field, "/left",
       "\"а\""},
      {"pairs: no right side", game("pairs", R"({"left":"а"})"), Reason::missing_field, "/right",
       "null"},
      {"pairs: an empty left side", game("pairs", R"({"left":"\u200A","right":"а"})"),
       Reason::empty_text, "/left", "\"а\""},
      {"pairs: a right side is a list", game("pairs", R"({"left":"а","right":["б"]})"),
       Reason::wrong_type, "/right", "[\"б\"]"},
      {"pairs: a right side with a line break", game("pairs", R"({"left":"а","right":"б\nв"})"),
       Reason::forbidden_character, "/right", "\"б\\nв\""},
      {"pairs: a right side of 501 characters",
       game("pairs", R"({"left":"а","right":)" + too_long + "}"), Reason::too_long, "/right",
       too_long},
      {"pairs: the sides of memory", game("pairs", R"({"left":"а","right":"б","b":"в"})"),
       Reason::unknown_field, "/b", "\"б\""},
      {"memory: no first side", game("memory", R"({"b":"а"})"), Reason::missing_field, "/a",
       "\"а\""},
      {"memory: a number", game("memory", R"({"a":4,"b":"2+2"})"), Reason::wrong_type, "/a",
       "\"2+2\""},
      {"memory: a second side is a number", game("memory", R"({"a":"2+2","b":4})"),
       Reason::wrong_type, "/b", "4"},
      {"memory: an empty second side", game("memory", R"({"a":"а","b":""})"), Reason::empty_text,
       "/b", "\"\""},
      {"memory: a first side with a direction mark", game("memory", R"({"a":"а\u200e","b":"б"})"),
       Reason::forbidden_character, "/a", "\"б\""},
      // wheel
      {"wheel: an object", game("wheel", "{}"), Reason::wrong_type, "", "null"},
      {"wheel: a number", game("wheel", "7"), Reason::wrong_type, "", "null"},
      {"wheel: an empty text", wheel(""), Reason::empty_text, "", "null"},
      {"wheel: nothing but spaces", wheel("\u00A0 "), Reason::empty_text, "", "null"},
      {"wheel: 501 characters with marks", wheel(repeated("а\u0301", 501)), Reason::too_long, "",
       "null"},
      {"wheel: 501 emoji", wheel(repeated("👨\u200D👩\u200D👧", 501)), Reason::too_long, "", "null"},
      {"wheel: a line break", wheel("а\\nб"), Reason::forbidden_character, "", "null"},
      {"wheel: an escaped NUL", wheel("машин\\u0000ный"), Reason::forbidden_character, "", "null"},
      {"wheel: a soft hyphen", wheel("дере\u00ADвянный"), Reason::forbidden_character, "", "null"},
      {"wheel: a byte order mark", wheel("\uFEFFа"), Reason::forbidden_character, "", "null"},
      // gap
      {"gap: no question", game("gap", R"({"key":"а"})"), Reason::missing_field, "/q", "\"а\""},
      {"gap: no key", game("gap", R"({"q":"в"})"), Reason::missing_field, "/key", "null"},
      {"gap: a key is a number", game("gap", R"({"q":"в","key":7})"), Reason::wrong_type, "/key",
       "7"},
      {"gap: an empty key", game("gap", R"({"q":"в","key":" "})"), Reason::empty_text, "/key",
       "\" \""},
      {"gap: a key with a line break", game("gap", R"({"q":"в","key":"а\nб"})"),
       Reason::forbidden_character, "/key", "\"а\\nб\""},
      {"gap: accept is a text", game("gap", R"({"q":"в","key":"а","accept":"б"})"),
       Reason::wrong_type, "/accept", "\"а\""},
      {"gap: accept holds a number", game("gap", R"({"q":"в","key":"а","accept":["б",7]})"),
       Reason::wrong_type, "/accept/1", "\"а\""},
      {"gap: accept holds an empty text", game("gap", R"({"q":"в","key":"а","accept":["","б"]})"),
       Reason::empty_text, "/accept/0", "\"а\""},
      {"gap: accept holds a zero width space",
       game("gap", R"({"q":"в","key":"а","accept":["\u200bб"]})"), Reason::forbidden_character,
       "/accept/0", "\"а\""},
      {"gap: accept holds 501 characters",
       game("gap", R"({"q":"в","key":"а","accept":[)" + too_long + "]}"), Reason::too_long,
       "/accept/0", "\"а\""},
      // order
      {"order: no question", game("order", R"({"steps":["а","б"]})"), Reason::missing_field, "/q",
       R"(["а","б"])"},
      {"order: no steps", game("order", R"({"q":"в"})"), Reason::missing_field, "/steps", "null"},
      {"order: steps is a text", game("order", R"({"q":"в","steps":"аб"})"), Reason::wrong_type,
       "/steps", "\"аб\""},
      {"order: a step is a number", game("order", R"({"q":"в","steps":["а",2]})"),
       Reason::wrong_type, "/steps/1", R"(["а",2])"},
      {"order: one step", game("order", R"({"q":"в","steps":["а"]})"), Reason::too_few, "/steps",
       R"(["а"])"},
      {"order: eleven steps",
       game("order", R"({"q":"в","steps":["1","2","3","4","5","6","7","8","9","10","11"]})"),
       Reason::too_many, "/steps", R"(["1","2","3","4","5","6","7","8","9","10","11"])"},
      {"order: a step twice", game("order", R"({"q":"в","steps":["а","б","а"]})"),
       Reason::duplicate_option, "/steps/2", R"(["а","б","а"])"},
      {"order: an empty step", game("order", R"({"q":"в","steps":["а"," "]})"), Reason::empty_text,
       "/steps/1", R"(["а"," "])"},
      {"order: a step of 501 characters",
       game("order", R"({"q":"в","steps":["б",)" + too_long + "]}"), Reason::too_long, "/steps/1",
       R"(["б",)" + too_long + "]"},
      {"order: a step with a line break", game("order", R"({"q":"в","steps":["а","б\nв"]})"),
       Reason::forbidden_character, "/steps/1", R"(["а","б\nв"])"},
      {"order: a key too many", game("order", R"({"q":"в","steps":["а","б"],"key":0})"),
       Reason::unknown_field, "/key", R"(["а","б"])"},
      // odd_one_out
      {"odd_one_out: no words", game("odd_one_out", R"({"key":0})"), Reason::missing_field,
       "/words", "0"},
      {"odd_one_out: two words", game("odd_one_out", R"({"words":["а","б"],"key":0})"),
       Reason::too_few, "/words", "0"},
      {"odd_one_out: nine words",
       game("odd_one_out", R"({"words":["1","2","3","4","5","6","7","8","9"],"key":0})"),
       Reason::too_many, "/words", "0"},
      {"odd_one_out: a word twice", game("odd_one_out", R"({"words":["а","б","а"],"key":0})"),
       Reason::duplicate_option, "/words/2", "0"},
      {"odd_one_out: an empty word", game("odd_one_out", R"({"words":["а","","б"],"key":0})"),
       Reason::empty_text, "/words/1", "0"},
      {"odd_one_out: a word is a number", game("odd_one_out", R"({"words":["а",2,"б"],"key":0})"),
       Reason::wrong_type, "/words/1", "0"},
      {"odd_one_out: a word with a line break",
       game("odd_one_out", R"({"words":["а","б\nв","г"],"key":0})"), Reason::forbidden_character,
       "/words/1", "0"},
      {"odd_one_out: a question is a number",
       game("odd_one_out", R"({"q":1,"words":["а","б","в"],"key":0})"), Reason::wrong_type, "/q",
       "0"},
      {"odd_one_out: an empty question",
       game("odd_one_out", R"({"q":"","words":["а","б","в"],"key":0})"), Reason::empty_text, "/q",
       "0"},
      {"odd_one_out: no key", game("odd_one_out", R"({"words":["а","б","в"]})"),
       Reason::missing_field, "/key", "null"},
      {"odd_one_out: key behind the words",
       game("odd_one_out", R"({"words":["а","б","в"],"key":3})"), Reason::key_outside_domain,
       "/key", "3"},
      {"odd_one_out: key is the word", game("odd_one_out", R"({"words":["а","б","в"],"key":"в"})"),
       Reason::wrong_type, "/key", "\"в\""},
  }));
  CAPTURE(row.why);
  const auto reading = read_package(package(row.game), ten_kinds(), {});
  CHECK_FALSE(reading.rejected());
  REQUIRE(reading.package.games.size() == 1);
  const auto& read = reading.package.games[0];
  const auto& item = read.items.at(0);
  CHECK_FALSE(item.well_formed());
  CHECK_FALSE(item.sound());
  REQUIRE(item.findings.size() == 1);
  CHECK(name_of(item.findings[0].code) == name_of(row.code));
  CHECK(item.findings[0].severity == Severity::flag);
  CHECK(item.findings[0].item == ItemName{read.kind->name, 0});
  CHECK(item.findings[0].place == row.place);
  CHECK_FALSE(item.findings[0].detail.empty());
  CHECK(item.key_written() == row.key);
  REQUIRE(reading.findings.size() == 1);
  CHECK(reading.findings[0].place == "/games/" + read.kind->name + "/data/0" + row.place);
}

TEST_CASE("an item has all its faults, and its neighbours none of them", "[validators]") {
  const auto reading =
      read_package(package(R"("quiz":{"data":[{"q":"в","options":["а","б"],"key":1},
          {"q":"","options":["а","а","\u200b"],"key":7,"x":0},{"q":"г","options":["а","б"],"key":1}]})"),
                   ten_kinds(), {});
  std::vector<std::string> found;
  for (const auto& finding : reading.findings) {
    CHECK(finding.item == ItemName{"quiz", 1});
    found.push_back(std::string{name_of(finding.code)} + " " + finding.place);
  }
  CHECK(found == std::vector<std::string>{"unknown_field /games/quiz/data/1/x",
                                          "empty_text /games/quiz/data/1/q",
                                          "empty_text /games/quiz/data/1/options/2",
                                          "forbidden_character /games/quiz/data/1/options/2",
                                          "duplicate_option /games/quiz/data/1/options/1",
                                          "key_outside_domain /games/quiz/data/1/key"});
  const auto& items = reading.package.games.at(0).items;
  CHECK(items[0].sound());
  CHECK_FALSE(items[1].sound());
  CHECK(items[2].sound());
}

TEST_CASE("what may stand in a package stands", "[validators]") {
  struct Row {
    const char* why;
    std::string text;
  };
  const auto row = GENERATE_COPY(values<Row>({
      {"a leading byte order mark", "\xEF\xBB\xBF" + package(wheel("а"))},
      {"white space around", "\n\t" + package(wheel("а")) + "\r\n "},
      {"16 MiB", padded(package_bytes_max)},
      {"depth 64", document(R"("a":)" + nested(63))},
      {"unknown fields of the document", document(R"("a":{"b":[null,1.5,"\u0000"]})")},
      {"unknown fields of a game", package(R"("wheel":{"colour":"red","data":["а"]})")},
      {"no id, topic, subject, grade, language or teacher", package(wheel("а"))},
      {"grade 0", document(R"("grade":0)")},
      {"the largest grade", document(R"("grade":2147483647)")},
      {"a topic of 500 characters", document(R"("topic":")" + repeated("и\u0306", 500) + "\"")},
      {"one item", many_items(1)},
      {"200 items", many_items(200)},
      {"500 letters", package(wheel(repeated("а", 500)))},
      {"500 letters with marks", package(wheel(repeated("а\u0301", 500)))},
      {"500 emoji", package(wheel(repeated("👨\u200D👩\u200D👧", 500)))},
      {"a family is a legal text", package(wheel("семья 👨\u200D👩\u200D👧"))},
      {"bare ampersands", package(wheel("Группа AT&T и стиль R&B"))},
      {"an option of 120 characters with marks",
       package(quiz_options(R"(["а",")" + repeated("и\u0306", 120) + R"("])"))},
      {"an option of 120 emoji",
       package(quiz_options(R"(["а",")" + repeated("👩🏽", 120) + R"("])"))},
      {"two options", package(quiz(R"("key":1)"))},
      {"six options",
       package(R"("quiz":{"data":[{"q":"в","options":["1","2","3","4","5","6"],"key":5}]})")},
      {"options that differ in a sign",
       package(
           R"("quiz":{"data":[{"q":"Как сократить 2/4?","options":["*2",":2","/4","2","-2"],"key":1}]})")},
      {"options that differ in case or stress",
       package(quiz_options(R"(["звонит","звОнит","звонИт","звони\u0301т"])"))},
      {"line breaks in questions and statements",
       package(quiz_options(R"(["а","б"])") + "," + game("gap", R"({"q":"а\nб","key":"в"})") + "," +
               game("order", R"({"q":"а\r\nб","steps":["в","г"]})") + "," +
               game("odd_one_out", R"({"q":"а\nб","words":["а","б","в"],"key":0})") + "," +
               game("lie_detector", R"({"s":"а\nб","key":"lie"})"))},
      {"two baskets", package(sort(R"({"w":"а","key":"Одна Н"})"))},
      {"five baskets, a key that is the same by tidy",
       package(R"("sort":{"baskets":["а","б","в","г","д"],"data":[{"w":"а","key":" д "}]})")},
      {"a basket of 500 characters", package(R"("sort":{"baskets":["а",")" + repeated("б", 500) +
                                             R"("],"data":[{"w":"а","key":"а"}]})")},
      {"a rule of 500 characters", package(R"("spotlight":{"rule":")" + repeated("п", 500) +
                                           R"(","data":[{"w":"а","key":"catch"}]})")},
      {"a label that is a text of the game too",
       package(game("lie_detector", R"({"s":"truth","key":"lie"})"))},
      {"a right side with a gap is for the solvers to judge",
       package(game("pairs", R"({"left":"а..","right":"б.."})"))},
      {"a step of 500 characters",
       package(game("order", R"({"q":"в","steps":["1",")" + repeated("б", 500) + R"("]})"))},
      {"two steps", package(game("order", R"({"q":"в","steps":["1","2"]})"))},
      {"ten steps",
       package(game("order", R"({"q":"в","steps":["1","2","3","4","5","6","7","8","9","10"]})"))},
      {"three words without a question",
       package(game("odd_one_out", R"({"words":["1","2","3"],"key":2})"))},
      {"eight words",
       package(game("odd_one_out", R"({"words":["1","2","3","4","5","6","7","8"],"key":7})"))},
      {"no further right forms", package(game("gap", R"({"q":"в","key":"а","accept":[]})"))},
      {"a gap in one option is enough",
       package(
           R"("quiz":{"data":[{"q":"Где НН?","options":["дли..ый","юный"],"key":0}],"fillings":["н"]})")},
      {"a gap in the question is enough",
       package(
           R"("quiz":{"data":[{"q":"дли___ый","options":["н","нн"],"key":1}],"fillings":["н"]})")},
      {"no fillings, no gap",
       package(
           R"("wheel":{"fillings":[],"data":["слово"]},"sort":{"baskets":["а","б"],"fillings":{},"data":[{"w":"в","key":"а"}]})")},
      {"a filling for a label that there is not",
       package(
           R"("sort":{"baskets":["а","б"],"fillings":{"в":"н"},"data":[{"w":"в..","key":"а"}]})")},
  }));
  CAPTURE(row.why);
  const auto reading = read_package(row.text, ten_kinds(), {});
  for (const auto& finding : reading.findings) {
    CAPTURE(finding.place, finding.detail);
    CHECK(name_of(finding.code) == "");
  }
  CHECK_FALSE(reading.package.games.empty());
}

TEST_CASE("what a pupil may see does not depend on the key", "[validators]") {
  // The face is all that a solver is shown: a key that reached it would tell itself.
  const auto face_of = [](const std::string& one_game) {
    const auto reading = read_package(package(one_game), ten_kinds(), {});
    const auto& item = reading.package.games.at(0).items.at(0);
    REQUIRE(item.face);
    const auto& face = *item.face;
    std::string shown = face.text + "\n" + face.question;
    for (const auto& option : face.options) shown += "\n" + option;
    return shown;
  };
  CHECK(face_of(quiz(R"("key":0)")) == face_of(quiz(R"("key":1,"asks":"нн")")));
  CHECK(face_of(sort(R"({"w":"а","key":"Одна Н"})")) == face_of(sort(R"({"w":"а","key":"?"})")));
  CHECK(face_of(game("lie_detector", R"({"s":"а","key":"lie"})")) ==
        face_of(game("lie_detector", R"({"s":"а","key":"truth"})")));
  CHECK(face_of(game("pairs", R"({"left":"а..","right":"аб"})")) ==
        face_of(game("pairs", R"({"left":"а..","right":"ав"})")));
  CHECK(face_of(game("gap", R"({"q":"в","key":"1"})")) ==
        face_of(game("gap", R"({"q":"в","key":"2","accept":["3"]})")));
  CHECK(face_of(game("odd_one_out", R"({"words":["а","б","в"],"key":0})")) ==
        face_of(game("odd_one_out", R"({"words":["а","б","в"],"key":2})")));
  CHECK(rc::check("steps in any order", [&] {
    std::vector<std::string> steps{"а", "б ", " в", "Ё", "е", "..", "…я"};
    const auto written = [](const std::vector<std::string>& list) {
      return game("order", R"({"q":"в","steps":)" + Json(list).dump() + "}");
    };
    const auto sorted = face_of(written(steps));
    for (std::size_t i = steps.size(); i > 1; --i) {
      std::swap(steps[i - 1], steps[*rc::gen::inRange<std::size_t>(0, i)]);
    }
    RC_ASSERT(face_of(written(steps)) == sorted);
  }));
}

TEST_CASE("a delivered revision is read as strictly as a package", "[validators]") {
  struct Row {
    const char* why;
    std::string text, found;  // "code place" of its one finding; empty: none
  };
  const auto reading = read_package(
      package(
          R"("sort":{"baskets":["а","б"],"fillings":{"а":"н"},"data":[{"w":"x..","key":"а"}]})"),
      ten_kinds(), {});
  const auto& read = reading.package.games.at(0);
  const auto row = GENERATE(values<Row>({
      {"sound", R"({"w":"y..","key":"б"})", ""},
      {"a byte order mark", "\xEF\xBB\xBF{\"w\":\"y..\",\"key\":\"б\"}", ""},
      {"a label that is none", R"({"w":"y..","key":"в"})", "key_outside_domain /key"},
      {"no gap", R"({"w":"y","key":"б"})", "gap_missing "},
      {"an unknown field", R"({"w":"y..","key":"б","key_was":"а"})", "unknown_field /key_was"},
      {"a name twice", R"({"w":"y..","w":"z..","key":"б"})", "bad_json /w"},
      {"a NUL behind it", std::string{R"({"w":"y..","key":"б"})"} + '\0', "bad_json "},
      {"two items", R"({"w":"y..","key":"б"}{"w":"y..","key":"б"})", "bad_json "},
      {"a list of one", R"([{"w":"y..","key":"б"}])", "wrong_type "},
      {"nothing", "", "bad_json "},
      {"not UTF-8", "\xFF", "bad_json "},
  }));
  CAPTURE(row.why);
  const auto item = read_item(row.text, *read.kind, read.terms, {"sort", 3}, {});
  std::string found;
  for (const auto& finding : item.findings) {
    found += std::string{name_of(finding.code)} + " " + finding.place;
    CHECK(finding.severity == Severity::flag);
    CHECK(finding.item == ItemName{"sort", 3});
  }
  CHECK(found == row.found);
  CHECK(item.sound() == row.found.empty());
}

TEST_CASE("an item is kept as it was written, whatever is wrong with it", "[validators]") {
  const auto& kind = ten_kinds()->at("sort");
  GameTerms terms;
  terms.labels = {"а", "б"};
  const auto read = [&](std::string_view text) {
    return read_item(text, kind, terms, {"sort", 0}, {}).written();
  };
  CHECK(read(R"( {"key":"в", "w":"y", "x":[1,{}]} )") == R"({"key":"в","w":"y","x":[1,{}]})");
  CHECK(read("7") == "7");
  CHECK(read("{\"w") == R"("{\"w")");
  CHECK(read("\xFF") == "\"\uFFFD\"");
}
