#include "validators/kinds.h"

#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/validators/games.h"
#include "validators/echo.h"
#include "validators/read_package.h"

using namespace flagman::validators;
using Catch::Matchers::Contains;

namespace {

std::string games(const std::string& kinds, const std::string& rest = "") {
  return R"({"format":"flagman.games/1","kinds":{)" + kinds + "}" + rest + "}";
}

std::shared_ptr<const Kinds> own_kinds(const std::string& kinds, const std::string& rest = "") {
  auto parsed = parse_kinds(games(kinds, rest));
  if (!parsed) FAIL(parsed.error());
  return std::make_shared<const Kinds>(std::move(*parsed));
}

// "code place" of each finding about a package of these games.
std::vector<std::string> found(const std::string& of_games,
                               const std::shared_ptr<const Kinds>& kinds) {
  const auto reading =
      read_package(R"({"format":"flagman.package/1","games":{)" + of_games + "}}", kinds, {});
  std::vector<std::string> list;
  for (const auto& finding : reading.findings) {
    list.push_back(std::string{name_of(finding.code)} + " " + finding.place);
  }
  return list;
}

using List = std::vector<std::string>;

}  // namespace

TEST_CASE("the ten kinds are what the contract says", "[validators]") {
  struct Row {
    const char* name;
    AnswerForm answer;
    EchoForm echo;
    std::string text, options, key;
  };
  const auto row = GENERATE(values<Row>({
      {"quiz", AnswerForm::option, EchoForm::text_and_options_where_repeated, "q", "options",
       "key"},
      {"sort", AnswerForm::label, EchoForm::text, "w", "", "key"},
      {"lie_detector", AnswerForm::label, EchoForm::text, "s", "", "key"},
      {"spotlight", AnswerForm::label, EchoForm::text, "w", "", "key"},
      {"pairs", AnswerForm::partner, EchoForm::text, "left", "", "right"},
      {"memory", AnswerForm::partner, EchoForm::text, "a", "", "b"},
      {"wheel", AnswerForm::soundness, EchoForm::text, "", "", ""},
      {"gap", AnswerForm::short_text, EchoForm::text, "q", "", "key"},
      {"order", AnswerForm::sequence, EchoForm::text, "q", "steps", "steps"},
      {"odd_one_out", AnswerForm::option, EchoForm::options, "", "words", "key"},
  }));
  CAPTURE(row.name);
  const auto kinds = flagman::tests::ten_kinds();
  CHECK(kinds->size() == 10);
  const auto& kind = kinds->at(row.name);
  CHECK(kind.name == row.name);
  CHECK(kind.answer == row.answer);
  CHECK(kind.echo == row.echo);
  CHECK(kind.text_field == row.text);
  CHECK(kind.options_field == row.options);
  CHECK(kind.key_field == row.key);
  CHECK(kind.items.min == 1);
  CHECK(kind.items.max == 200);
  CHECK(kind.text_characters_max == 500);
  CHECK(kind.item_is_text == (kind.name == "wheel"));
}

TEST_CASE("the ten kinds count as the contract says", "[validators]") {
  const auto kinds = flagman::tests::ten_kinds();
  const auto options = [&](const char* name) {
    const auto& range = kinds->at(name).options;
    return std::pair{range.min, range.max};
  };
  CHECK(options("quiz") == std::pair{2, 6});
  CHECK(options("odd_one_out") == std::pair{3, 8});
  CHECK(options("order") == std::pair{2, 10});
  CHECK(kinds->at("quiz").option_characters_max == 120);
  CHECK(kinds->at("sort").labels.min == 2);
  CHECK(kinds->at("sort").labels.max == 5);
}

TEST_CASE("a description that makes no game is refused by name", "[validators]") {
  struct Row {
    const char* why;
    std::string kind, says, place;
  };
  const auto row = GENERATE(values<Row>({
      {"no object", "7", "should be an object", "/kinds/own:"},
      {"no answer form", R"({"item":"text"})", "should be one of option", "/kinds/own/answer:"},
      {"an unknown answer form", R"({"answer":"magic","item":"text"})", "should be one of option",
       "/kinds/own/answer:"},
      {"an answer form that is no text", R"({"answer":1,"item":"text"})", "should be a string",
       "/kinds/own/answer:"},
      {"an unknown field", R"({"answer":"soundness","item":"text","x":1})", "unknown field «x»",
       "/kinds/own:"},
      {"an unknown echo", R"({"answer":"soundness","item":"text","echo":"x"})",
       "should be one of text", "/kinds/own/echo:"},
      {"no item", R"({"answer":"soundness"})", "`item` is missing", "/kinds/own:"},
      {"an item of another sort", R"({"answer":"soundness","item":"number"})",
       "\"text\" or an object", "/kinds/own/item:"},
      {"an item that is a list", R"({"answer":"soundness","item":[]})", "should be an object",
       "/kinds/own/item:"},
      {"an unknown item field", R"({"answer":"soundness","item":{"text":"t","hint":"h"}})",
       "unknown field «hint»", "/kinds/own/item:"},
      {"a field's name that is no text", R"({"answer":"soundness","item":{"text":1}})",
       "should be a string", "/kinds/own/item/text:"},
      {"an optional field that nobody knows",
       R"({"answer":"partner","item":{"text":"t","key":"k","optional":["hint"]}})", "only \"asks\"",
       "/kinds/own/item/optional:"},
      {"optional fields that are no list",
       R"({"answer":"partner","item":{"text":"t","key":"k","optional":"asks"}})", "list of strings",
       "/kinds/own/item/optional:"},
      {"an option without options", R"({"answer":"option","item":{"text":"q","key":"k"}})",
       "needs `options`", "/kinds/own:"},
      {"options that nobody chooses from",
       R"({"answer":"partner","item":{"text":"q","key":"k","options":"o"}})", "has no `options`",
       "/kinds/own:"},
      {"options without sizes",
       R"({"answer":"option","item":{"text":"q","options":"o","key":"k"}})",
       "needs `min` and `max`", "/kinds/own:"},
      {"options with one size",
       R"({"answer":"option","item":{"text":"q","options":"o","key":"k"},"options":{"min":2}})",
       "at least `min`", "/kinds/own/options:"},
      {"a sequence without sizes", R"({"answer":"sequence","item":{"text":"q","key":"k"}})",
       "needs `min` and `max`", "/kinds/own:"},
      {"a label without labels", R"({"answer":"label","item":{"text":"w","key":"k"}})",
       "needs `labels`", "/kinds/own:"},
      {"labels that nobody chooses from",
       R"({"answer":"partner","item":{"text":"w","key":"k"},"labels":{"fixed":["a","b"]}})",
       "only the answer form label", "/kinds/own:"},
      {"labels both ways",
       R"({"answer":"label","item":{"text":"w","key":"k"},"labels":{"field":"b","fixed":["a"],"min":1,"max":2}})",
       "either `field` or `fixed`", "/kinds/own/labels:"},
      {"labels neither way",
       R"({"answer":"label","item":{"text":"w","key":"k"},"labels":{"fixed":[]}})",
       "either `field` or `fixed`", "/kinds/own/labels:"},
      {"labels that are no texts",
       R"({"answer":"label","item":{"text":"w","key":"k"},"labels":{"fixed":["a",1]}})",
       "list of strings", "/kinds/own/labels/fixed:"},
      {"listed labels without sizes",
       R"({"answer":"label","item":{"text":"w","key":"k"},"labels":{"field":"b"}})",
       "at least `min`", "/kinds/own/labels:"},
      {"fillings that are a list",
       R"({"answer":"label","item":{"text":"w","key":"k"},"labels":{"fixed":["a","b"],"fillings":["н"]}})",
       "object of strings", "/kinds/own/labels/fillings:"},
      {"a filling that is no text",
       R"({"answer":"label","item":{"text":"w","key":"k"},"labels":{"fixed":["a","b"],"fillings":{"a":1}}})",
       "object of strings", "/kinds/own/labels/fillings:"},
      {"no key", R"({"answer":"partner","item":{"text":"a"}})", "needs `key`", "/kinds/own:"},
      {"a key too many", R"({"answer":"soundness","item":{"text":"a","key":"k"}})",
       "soundness has none", "/kinds/own:"},
      {"a bare text has no place for a key", R"({"answer":"partner","item":"text"})", "needs `key`",
       "/kinds/own:"},
      {"accept where nothing is short",
       R"({"answer":"partner","item":{"text":"a","key":"k","accept":"c"}})",
       "short_text has `accept`", "/kinds/own:"},
      {"no text to echo", R"({"answer":"partner","item":{"key":"k"}})", "needs `text`",
       "/kinds/own:"},
      {"options echoed where there are none",
       R"({"answer":"partner","item":{"key":"k"},"echo":"options"})",
       "can be echoed by its options", "/kinds/own:"},
      {"shared texts that are a list", R"({"answer":"soundness","item":"text","shared":["rule"]})",
       "should be an object", "/kinds/own/shared:"},
      {"a line break that is no boolean",
       R"({"answer":"soundness","item":"text","shared":{"rule":{"line_break":1}}})", "no boolean",
       "/kinds/own/shared/rule:"},
      {"an unknown field of a shared text",
       R"({"answer":"soundness","item":"text","shared":{"rule":{"size":1}}})",
       "unknown field «size»", "/kinds/own/shared/rule:"},
      {"a letter fills gaps anyway", R"({"answer":"soundness","item":"text","gap_also":"x"})",
       "a hyphen and a space alone", "/kinds/own/gap_also:"},
      {"upside down", R"({"answer":"soundness","item":"text","items":{"min":3,"max":2}})",
       "at least `min`", "/kinds/own/items:"},
      {"below zero", R"({"answer":"soundness","item":"text","items":{"min":-1,"max":2}})",
       "whole number", "/kinds/own/items/min:"},
      {"a fraction", R"({"answer":"soundness","item":"text","items":{"min":1,"max":2.0}})",
       "whole number", "/kinds/own/items/max:"},
      {"beyond 64 bits",
       R"({"answer":"soundness","item":"text","items":{"min":1,"max":18446744073709551617}})",
       "whole number", "/kinds/own/items/max:"},
      {"beyond what a game holds",
       R"({"answer":"soundness","item":"text","items":{"min":1,"max":1000001}})", "whole number",
       "/kinds/own/items/max:"},
  }));
  CAPTURE(row.why);
  const auto kinds = parse_kinds(games("\"own\":" + row.kind));
  REQUIRE_FALSE(kinds);
  CHECK_THAT(kinds.error(), Contains(row.says));
  CHECK_THAT(kinds.error(), Catch::Matchers::StartsWith(row.place));
}

TEST_CASE("a file of kinds is refused as a whole", "[validators]") {
  struct Row {
    const char* why;
    std::string text, says;
  };
  const auto good = R"("own":{"answer":"soundness","item":"text"})";
  const auto row = GENERATE_COPY(values<Row>({
      {"cut", "{", "not JSON"},
      {"a kind twice", games(std::string{good} + "," + good), "stands twice"},
      {"no object", "[]", "should be an object"},
      {"no format", R"({"kinds":{}})", "/format"},
      {"another format", R"({"format":"flagman.games/2","kinds":{}})", "/format"},
      {"no kinds", R"({"format":"flagman.games/1"})", "/kinds"},
      {"an empty list of kinds", games(""), "at least one kind"},
      {"kinds in a list", R"({"format":"flagman.games/1","kinds":[]})", "/kinds"},
      {"an unknown field", games(good, R"(,"colour":1)"), "unknown field «colour»"},
      {"an unknown limit", games(good, R"(,"limits":{"size":1})"), "unknown field «size»"},
      {"a limit that is no number", games(good, R"(,"limits":{"items_max":"9"})"),
       "/limits/items_max"},
      {"limits upside down", games(good, R"(,"limits":{"items_min":5,"items_max":4})"), "/limits"},
      {"a kind without a name", games(R"("":{"answer":"soundness","item":"text"})"),
       "a kind's name"},
      {"a kind's name would part an item's", games(R"("a/b":{"answer":"soundness","item":"text"})"),
       "a kind's name"},
      {"and would part its revision", games(R"("a@b":{"answer":"soundness","item":"text"})"),
       "a kind's name"},
      {"and would part its sheet", games(R"("a#b":{"answer":"soundness","item":"text"})"),
       "a kind's name"},
      {"a check that no kind can do without",
       games(R"("a":{"answer":"soundness","item":"text","skip":["empty_text"]})"),
       "should be one of mixed_alphabet, markup"},
      {"a least size above the greatest",
       games(R"("a":{"answer":"soundness","item":"text","characters_min":6,"characters_max":5})"),
       "`characters_max` should be at least `characters_min`"},
      {"the same of options",
       games(R"("a":{"answer":"option","item":{"text":"q","options":"o","key":"k"},
                     "options":{"min":1,"max":2,"characters_min":3,"characters_max":2}})"),
       "`characters_max` should be at least `characters_min`"},
      {"a space in a kind's name", games(R"("a b":{"answer":"soundness","item":"text"})"),
       "a kind's name"},
  }));
  CAPTURE(row.why);
  const auto kinds = parse_kinds(row.text);
  REQUIRE_FALSE(kinds);
  CHECK_THAT(kinds.error(), Contains(row.says));
}

TEST_CASE("limits of the file hold for every kind that names none of its own", "[validators]") {
  const auto kinds = own_kinds(
      R"("plain":{"answer":"soundness","item":"text"},
         "own":{"answer":"soundness","item":"text","items":{"min":1,"max":3}})",
      R"(,"limits":{"items_min":2,"items_max":2,"text_characters_max":3})");
  CHECK(found(R"("plain":{"data":["абв","где"]},"own":{"data":["а"]})", kinds).empty());
  CHECK(found(R"("plain":{"data":["а"]})", kinds) == List{"too_few /games/plain/data"});
  CHECK(found(R"("plain":{"data":["а","б","в"]})", kinds) == List{"too_many /games/plain/data"});
  CHECK(found(R"("own":{"data":["а","б","в"]})", kinds).empty());
  CHECK(found(R"("own":{"data":["абвг"]})", kinds) == List{"too_long /games/own/data/0"});
}

TEST_CASE("without limits in the file the contract's hold", "[validators]") {
  const auto kinds = own_kinds(R"("own":{"answer":"soundness","item":"text"})");
  CHECK(kinds->at("own").items.min == 1);
  CHECK(kinds->at("own").items.max == 200);
  CHECK(kinds->at("own").text_characters_max == 500);
}

TEST_CASE("a text may be too short for its kind, by the characters people see", "[validators]") {
  const auto kinds = own_kinds(
      R"("short":{"answer":"soundness","item":"text"},
         "own":{"answer":"soundness","item":"text","characters_min":4,"characters_max":5},
         "choice":{"answer":"option","item":{"text":"q","options":"o","key":"k"},
                   "options":{"min":2,"max":3,"characters_min":2,"characters_max":3}})",
      R"(,"limits":{"text_characters_min":2,"text_characters_max":3})");
  CHECK(
      found(R"("short":{"data":["аб","и\u0306и\u0306"]},"own":{"data":["абвг"]})", kinds).empty());
  CHECK(found(R"("short":{"data":["а","и\u0306",""]})", kinds) ==
        List{"too_short /games/short/data/0", "too_short /games/short/data/1",
             "empty_text /games/short/data/2"});
  CHECK(found(R"("own":{"data":["абв","абвгде"]})", kinds) ==
        List{"too_short /games/own/data/0", "too_long /games/own/data/1"});
  CHECK(found(R"("choice":{"data":[{"q":"аб","o":["в","где","ёжик"],"k":1}]})", kinds) ==
        List{"too_short /games/choice/data/0/o/0", "too_long /games/choice/data/0/o/2"});
}

TEST_CASE("a text of far too many code points is too long, whatever it looks like",
          "[validators]") {
  const auto kinds = own_kinds(R"("own":{"answer":"soundness","item":"text","characters_max":3})");
  std::string marks = "а";
  for (int i = 0; i < 47; ++i) marks += "\u0301";
  CHECK(found(R"("own":{"data":[")" + marks + R"("]})", kinds).empty());
  CHECK(found(R"("own":{"data":[")" + marks + "\u0301" + R"("]})", kinds) ==
        List{"too_long /games/own/data/0"});
}

TEST_CASE("a kind may do without a check that looks for its matter", "[validators]") {
  struct Row {
    const char* code;
    std::string item;
  };
  const auto row = GENERATE(values<Row>({
      {"mixed_alphabet", R"({"a":"cтеклянный","b":"мост"})"},
      {"markup", R"({"a":"<b>","b":"жирный"})"},
      {"placeholder", R"({"a":"%s","b":"строка"})"},
      {"pair_almost_expands", R"({"a":"маши..а вязка","b":"машинная вязка"})"},
      {"near_duplicate_item", R"({"a":"Волга впадает в Каспийское море весной","b":"да"},
                                 {"a":"Волга впадает в Каспийское море весною","b":"нет"})"},
  }));
  CAPTURE(row.code);
  const auto kind = [](const std::string& skip) {
    return own_kinds(R"("own":{"answer":"partner","item":{"text":"a","key":"b"})" + skip + "}");
  };
  const auto game = R"("own":{"data":[)" + row.item + "]}";
  const auto codes = found(game, kind(""));
  REQUIRE(codes.size() == 1);
  CHECK_THAT(codes[0], Catch::Matchers::StartsWith(row.code));
  CHECK(found(game, kind(R"(,"skip":[")" + std::string{row.code} + "\"]")).empty());
}

TEST_CASE("a kind may do without the search for giveaways", "[validators]") {
  const auto kind = [](const std::string& skip) {
    return own_kinds(R"("own":{"answer":"short_text","item":{"text":"a","key":"b"})" + skip + "}");
  };
  const auto* game = R"("own":{"data":[{"a":"Столица Франции Париж","b":"Париж"}]})";
  CHECK(found(game, kind("")) == List{"giveaway /games/own/data/0"});
  CHECK(found(game, kind(R"(,"skip":["giveaway","markup"])")).empty());
}

TEST_CASE("a new kind of labels needs no code", "[validators]") {
  const auto kinds = own_kinds(
      R"("bridge":{"answer":"label","item":{"text":"t","key":"side"},"line_break_in":["t"],
         "labels":{"field":"sides","min":2,"max":3,"fillings":{"A":"н","B":"нн"}},
         "shared":{"motto":{"line_break":true},"colour":{}},"items":{"min":2,"max":3}})");
  const auto bridge = [](const std::string& data, const std::string& rest = "") {
    return R"("bridge":{"sides":["A","B"],"data":[)" + data + "]" + rest + "}";
  };
  const std::string two = R"({"t":"x\nx","side":"A"},{"t":"y","side":"B"})";
  CHECK(found(bridge(two, R"(,"motto":"к\nм","colour":"red")"), kinds).empty());
  CHECK(found(bridge(two, R"(,"colour":"r\nd")"), kinds) ==
        List{"forbidden_character /games/bridge/colour"});
  CHECK(found(bridge(two, R"(,"motto":7)"), kinds) == List{"wrong_type /games/bridge/motto"});
  CHECK(found(bridge(R"({"t":"x","side":"C"},{"t":"y","side":"B"})"), kinds) ==
        List{"key_outside_domain /games/bridge/data/0/side"});
  CHECK(found(bridge(R"({"t":"x","side":"A"})"), kinds) == List{"too_few /games/bridge/data"});
  CHECK(found(R"("bridge":{"sides":["A"],"data":[]})", kinds) ==
        List{"too_few /games/bridge/sides", "too_few /games/bridge/data"});
  CHECK(found(R"("wheel":{"data":["а"]})", kinds) == List{"unknown_field /games/wheel"});
}

TEST_CASE("a new kind of options needs no code", "[validators]") {
  const auto kinds = own_kinds(
      R"("pick":{"answer":"option","item":{"text":"ask","options":"from","key":"right","optional":["asks"]},
         "options":{"min":2,"max":3,"characters_max":4}})");
  const auto pick = [](const std::string& from, const std::string& rest) {
    return R"("pick":{"data":[{"ask":"?","from":)" + from + "," + rest + "}]}";
  };
  CHECK(found(pick(R"(["а","абвг"])", R"("right":1,"asks":"н")"), kinds).empty());
  CHECK(found(pick(R"(["а","абвгд"])", R"("right":2)"), kinds) ==
        List{"too_long /games/pick/data/0/from/1", "key_outside_domain /games/pick/data/0/right"});
  CHECK(found(pick(R"(["а","б","в","г"])", R"("right":0)"), kinds) ==
        List{"too_many /games/pick/data/0/from"});
  CHECK(found(pick(R"(["а","б"])", R"("key":0)"), kinds) ==
        List{"unknown_field /games/pick/data/0/key", "missing_field /games/pick/data/0/right"});
}

TEST_CASE("new kinds of each other answer form need no code", "[validators]") {
  const auto kinds = own_kinds(
      R"("judge":{"answer":"soundness","item":{"text":"line","optional_text":"note"}},
         "match":{"answer":"partner","item":{"text":"one","key":"two"},"gap_also":"- "},
         "say":{"answer":"short_text","item":{"text":"ask","key":"say","accept":"or"}},
         "queue":{"answer":"sequence","item":{"text":"ask","key":"row"},"options":{"min":2,"max":3}})");
  CHECK(found(R"("judge":{"data":[{"line":"а","note":"б"}]},
                 "match":{"data":[{"one":"а","two":"б"}]},
                 "say":{"data":[{"ask":"а","say":"б","or":["в"]}]},
                 "queue":{"data":[{"ask":"а","row":["б","в"]}]})",
              kinds)
            .empty());
  CHECK(found(R"("judge":{"data":["а"]})", kinds) == List{"wrong_type /games/judge/data/0"});
  CHECK(found(R"("match":{"data":[{"one":"а","two":[]}]})", kinds) ==
        List{"wrong_type /games/match/data/0/two"});
  CHECK(found(R"("say":{"data":[{"ask":"а","say":"б","or":["в",1]}]})", kinds) ==
        List{"wrong_type /games/say/data/0/or/1"});
  CHECK(found(R"("queue":{"data":[{"ask":"а","row":["б","в","г","д"]}]})", kinds) ==
        List{"too_many /games/queue/data/0/row"});
  CHECK(kinds->at("match").gap_also == "- ");
}

TEST_CASE("a kind that is only described reads, flags and echoes its items", "[validators]") {
  struct Row {
    const char* why;
    std::string kind, game;
    List echoes, keys, findings;
  };
  const auto row = GENERATE(values<Row>({
      {"options",
       R"({"answer":"option","item":{"text":"ask","options":"from","key":"right"},
           "echo":"text_and_options_where_repeated","options":{"min":2,"max":3,"characters_max":9}})",
       R"("data":[{"ask":"?","from":["б","а"],"right":0},{"ask":"?","from":["в","г"],"right":2},
                  {"ask":"!","from":["а","б"],"right":1},{"ask":"!","from":["б","а"],"right":1}])",
       {"? | б | а", "? | в | г", "! | а | б", "! | б | а"},
       {"0", "2", "1", "1"},
       {"key_outside_domain /1/right", "contradictory_keys /2", "contradictory_keys /3"}},
      {"options that are the echo themselves",
       R"({"answer":"option","item":{"options":"from","key":"right","optional_text":"hint"},
           "echo":"options","options":{"min":2,"max":3,"characters_max":9}})",
       R"("data":[{"from":["б","а"],"right":0},{"hint":"!","from":["а","б","в"],"right":0},
                  {"from":["б","а"],"right":0},{"hint":"?","from":"гд","right":1}])",
       {"б; а", "а; б; в", "б; а", ""},
       {"0", "0", "0", "1"},
       {"duplicate_item /2", "wrong_type /3/from"}},
      {"labels that the game lists",
       R"({"answer":"label","item":{"text":"t","key":"side"},
           "labels":{"field":"sides","min":2,"max":3}})",
       R"("sides":["левый","правый"],"data":[{"t":"x","side":"левый"},{"t":"y","side":"Левый"},
                  {"t":"x","side":"правый"},{"side":"правый"}])",
       {"x", "y", "x", ""},
       {"\"левый\"", "\"Левый\"", "\"правый\"", "\"правый\""},
       {"contradictory_keys /0", "key_outside_domain /1/side", "contradictory_keys /2",
        "missing_field /3/t"}},
      {"labels of the kind",
       R"({"answer":"label","item":{"text":"t","key":"k"},"labels":{"fixed":["да","нет"]}})",
       R"("data":[{"t":"x","k":"да"},{"t":"y","k":true},{"t":"x","k":"да"}])",
       {"x", "y", "x"},
       {"\"да\"", "true", "\"да\""},
       {"wrong_type /1/k", "duplicate_item /2"}},
      {"partners",
       R"({"answer":"partner","item":{"text":"one","key":"two"}})",
       R"("data":[{"one":"ю..ый","two":"юный"},{"one":"x","two":""},{"one":"ю…ый","two":"юный"},
                  {"one":"z","two":"юный"}])",
       {"ю..ый", "x", "ю…ый", "z"},
       {"\"юный\"", "\"\"", "\"юный\"", "\"юный\""},
       {"ambiguous_pair /0", "empty_text /1/two", "duplicate_item /2", "ambiguous_pair /2",
        "ambiguous_pair /3"}},
      {"texts to be called sound",
       R"({"answer":"soundness","item":"text"})",
       R"("data":["x","","y","x "])",
       {"x", "", "y", "x "},
       {"null", "null", "null", "null"},
       {"empty_text /1", "duplicate_item /3"}},
      {"objects to be called sound",
       R"({"answer":"soundness","item":{"text":"line","optional_text":"note"},"line_break_in":["line"]})",
       R"("data":[{"line":"x\nz"},{"line":"y","note":"a\nb"},{"line":"y","key":0}])",
       {"x\nz", "y", "y"},
       {"null", "null", "null"},
       {"forbidden_character /1/note", "unknown_field /2/key"}},
      {"short texts",
       R"({"answer":"short_text","item":{"text":"ask","key":"say","accept":"or"}})",
       R"("data":[{"ask":"x","say":"б"},{"ask":"y","say":7},{"ask":"x","say":"г","or":["б"]},
                  {"ask":"z","say":"б","or":[""]}])",
       {"x", "y", "x", "z"},
       {"\"б\"", "7", "\"г\"", "\"б\""},
       {"contradictory_keys /0", "wrong_type /1/say", "contradictory_keys /2",
        "empty_text /3/or/0"}},
      {"sequences",
       R"({"answer":"sequence","item":{"text":"ask","key":"row"},"options":{"min":2,"max":3}})",
       R"("data":[{"ask":"x","row":["б","в"]},{"ask":"y","row":["б"]},{"ask":"x","row":["в","б"]},
                  {"ask":"z","row":["б","б"]}])",
       {"x", "y", "x", "z"},
       {R"(["б","в"])", R"(["б"])", R"(["в","б"])", R"(["б","б"])"},
       {"contradictory_keys /0", "too_few /1/row", "contradictory_keys /2",
        "duplicate_option /3/row/1"}},
  }));
  CAPTURE(row.why);
  const auto kinds = own_kinds("\"own\":" + row.kind);
  const auto reading = read_package(
      R"({"format":"flagman.package/1","games":{"own":{)" + row.game + "}}}", kinds, {});
  REQUIRE(reading.package.games.size() == 1);
  const auto& game = reading.package.games[0];
  std::vector<const Item*> items;
  List keys, findings;
  for (const auto& item : game.items) {
    items.push_back(&item);
    keys.push_back(item.key_written());
  }
  const std::string before = "/games/own/data";
  for (const auto& finding : reading.findings) {
    CHECK(finding.severity == Severity::flag);
    REQUIRE(finding.place.starts_with(before));
    findings.push_back(std::string{name_of(finding.code)} + " " +
                       finding.place.substr(before.size()));
  }
  CHECK(echo_texts(*game.kind, items) == row.echoes);
  CHECK(keys == row.keys);
  CHECK(findings == row.findings);
}
