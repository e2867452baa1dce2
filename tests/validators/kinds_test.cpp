#include "validators/kinds.h"

#include <catch2/catch.hpp>
#include <string>

#include "tests/validators/games.h"
#include "validators/read_package.h"

using namespace flagman::validators;
using Catch::Matchers::Contains;

TEST_CASE("the ten kinds are described by data", "[validators]") {
  const auto kinds = flagman::tests::ten_kinds();
  CHECK(kinds->size() == 10);
  CHECK(kinds->at("quiz").answer == AnswerForm::option);
  CHECK(kinds->at("wheel").item_is_text);
  CHECK(kinds->at("order").options_field == "steps");
  CHECK(kinds->at("sort").labels.max == 5);
}

TEST_CASE("a description that makes no game is refused by name", "[validators]") {
  struct Row {
    const char* why;
    std::string kind, says;
  };
  const auto row = GENERATE(values<Row>({
      {"no answer form", R"({"item":"text"})", "should be one of option"},
      {"an unknown answer form", R"({"answer":"magic","item":"text"})", "should be one of option"},
      {"an unknown field", R"({"answer":"soundness","item":"text","x":1})", "unknown field «x»"},
      {"no item", R"({"answer":"soundness"})", "`item` is missing"},
      {"an option without options", R"({"answer":"option","item":{"text":"q","key":"k"}})",
       "needs `options`"},
      {"options without sizes",
       R"({"answer":"option","item":{"text":"q","options":"o","key":"k"}})",
       "needs `min` and `max`"},
      {"a label without labels", R"({"answer":"label","item":{"text":"w","key":"k"}})",
       "needs `labels`"},
      {"labels both ways",
       R"({"answer":"label","item":{"text":"w","key":"k"},"labels":{"field":"b","fixed":["a"],"min":1,"max":2}})",
       "either `field` or `fixed`"},
      {"no key", R"({"answer":"partner","item":{"text":"a"}})", "needs `key`"},
      {"a key too many", R"({"answer":"soundness","item":{"text":"a","key":"k"}})",
       "soundness has none"},
      {"accept where nothing is short",
       R"({"answer":"partner","item":{"text":"a","key":"k","accept":"c"}})",
       "short_text has `accept`"},
      {"a letter fills gaps anyway", R"({"answer":"soundness","item":"text","gap_also":"x"})",
       "a hyphen and a space alone"},
      {"upside down", R"({"answer":"soundness","item":"text","items":{"min":3,"max":2}})",
       "at least `min`"},
      {"no number", R"({"answer":"soundness","item":"text","items":{"min":-1,"max":2}})",
       "whole number"},
  }));
  CAPTURE(row.why);
  const auto kinds =
      parse_kinds(R"({"format":"flagman.games/1","kinds":{"own":)" + row.kind + "}}");
  REQUIRE_FALSE(kinds);
  CHECK_THAT(kinds.error(), Contains(row.says));
  CHECK_THAT(kinds.error(), Contains("/kinds/own"));
}

TEST_CASE("a file of kinds is refused as a whole", "[validators]") {
  CHECK_FALSE(parse_kinds("{"));
  CHECK_FALSE(parse_kinds(R"({"format":"flagman.games/2","kinds":{}})"));
  CHECK_FALSE(parse_kinds(R"({"format":"flagman.games/1","kinds":{}})"));
  CHECK_FALSE(parse_kinds(
      R"({"format":"flagman.games/1","kinds":{"a/b":{"answer":"soundness","item":"text"}}})"));
}

TEST_CASE("limits that no game could keep are refused", "[validators]") {
  const auto kinds = parse_kinds(
      R"({"format":"flagman.games/1","kinds":{"own":{"answer":"soundness","item":"text"}},)"
      R"("limits":{"items_min":3,"items_max":2}})");
  REQUIRE_FALSE(kinds);
  CHECK_THAT(kinds.error(), Contains("/limits"));
}

TEST_CASE("a new kind needs no code", "[validators]") {
  auto kinds = parse_kinds(R"({"format":"flagman.games/1","kinds":{"bridge":{"answer":"label",
      "item":{"text":"t","key":"side"},"labels":{"field":"sides","min":2,"max":3},"items":{"min":2,"max":3}}}})");
  REQUIRE(kinds);
  const auto shared = std::make_shared<const Kinds>(std::move(*kinds));
  const auto good =
      read_package(R"({"format":"flagman.package/1","games":{"bridge":{"sides":["A","B"],
      "data":[{"t":"x","side":"A"},{"t":"y","side":"B"}]}}})",
                   shared);
  CHECK(good.findings.empty());
  REQUIRE(good.package.games.size() == 1);
  const auto bad =
      read_package(R"({"format":"flagman.package/1","games":{"bridge":{"sides":["A","B"],
      "data":[{"t":"x","side":"C"},{"t":"y","side":"B"}]}}})",
                   shared);
  REQUIRE(bad.findings.size() == 1);
  CHECK(bad.findings[0].code == Reason::key_outside_domain);
  CHECK(
      read_package(
          R"({"format":"flagman.package/1","games":{"bridge":{"sides":["A","B"],"data":[{"t":"x","side":"A"}]}}})",
          shared)
          .rejected());
}
