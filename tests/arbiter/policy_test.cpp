#include "arbiter/policy.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

using namespace flagman::arbiter;
using flagman::validators::Json;

namespace {

std::string reads(const std::string& text) {
  const auto policy = parse_policy(Json::parse(text));
  return policy ? "ok" : policy.error();
}

}  // namespace

TEST_CASE("what a policy does not say has the contract's default", "[arbiter]") {
  const auto policy = parse_policy(Json::parse("{}"));
  REQUIRE(policy);
  CHECK(to_json(*policy) ==
        R"({"solvers":["strict","methodist"],"arbiter_orders":"both","max_rounds":2,"gap_max":6,)"
        R"("sheet_max":40,"authority":{"short_answers":true,"dictionary":false},)"
        R"("near_duplicate":0.9,"after_last_round":"reject"})");
}

TEST_CASE("a policy is read as it is written", "[arbiter]") {
  const std::string written =
      GENERATE(R"({"solvers":["a","b","c"],"arbiter_orders":"single","max_rounds":1,"gap_max":0,)"
               R"("sheet_max":1,"authority":{"short_answers":false,"dictionary":true},)"
               R"("near_duplicate":0.0,"after_last_round":"review"})",
               R"({"solvers":["a","b"],"arbiter_orders":"both","max_rounds":7,"gap_max":3,)"
               R"("sheet_max":200,"authority":{"short_answers":true,"dictionary":["sort","gap"]},)"
               R"("near_duplicate":1.0,"after_last_round":"reject"})");
  const auto policy = parse_policy(Json::parse(written));
  REQUIRE(policy);
  CHECK(to_json(*policy) == written);
}

TEST_CASE("a part of the authority leaves the other at its default", "[arbiter]") {
  const auto policy = parse_policy(Json::parse(R"({"authority": {"dictionary": true}})"));
  REQUIRE(policy);
  CHECK(policy->authority.short_answers);
  CHECK(policy->authority.dictionary);
}

TEST_CASE("a policy field out of range is refused by its name", "[arbiter]") {
  struct Row {
    const char* why;
    std::string text;
    const char* named;  // what the clause must name; null: it is read
  };
  const auto row = GENERATE(values<Row>({
      {"unknown", R"({"rounds": 2})", "«rounds»"},
      {"unknown though another is known", R"({"max_rounds": 2, "Max_rounds": 2})", "«Max_rounds»"},
      {"no object", "[]", "object"},
      {"null", "null", "object"},

      {"one solver", R"({"solvers": ["strict"]})", "«solvers»"},
      {"no solver", R"({"solvers": []})", "«solvers»"},
      {"a solver twice", R"({"solvers": ["a", "b", "a"]})", "«solvers»"},
      {"a solver without a name", R"({"solvers": ["a", ""]})", "«solvers»"},
      {"a solver that is no text", R"({"solvers": ["a", 1]})", "«solvers»"},
      {"solvers in one text", R"({"solvers": "a, b"})", "«solvers»"},
      {"three solvers", R"({"solvers": ["a", "b", "c"]})", nullptr},

      {"orders by another name", R"({"arbiter_orders": "ab"})", "«arbiter_orders»"},
      {"orders as a number", R"({"arbiter_orders": 2})", "«arbiter_orders»"},

      {"no round", R"({"max_rounds": 0})", "«max_rounds»"},
      {"one round", R"({"max_rounds": 1})", nullptr},
      {"rounds as a text", R"({"max_rounds": "2"})", "«max_rounds»"},
      {"rounds with a fraction", R"({"max_rounds": 2.0})", "«max_rounds»"},
      {"rounds beyond 32 bits", R"({"max_rounds": 4294967298})", "«max_rounds»"},
      {"rounds beyond 63 bits", R"({"max_rounds": 18446744073709551615})", "«max_rounds»"},
      {"a negative gap", R"({"gap_max": -1})", "«gap_max»"},
      {"an empty gap", R"({"gap_max": 0})", nullptr},
      {"a sheet of nothing", R"({"sheet_max": 0})", "«sheet_max»"},
      {"a sheet of one", R"({"sheet_max": 1})", nullptr},

      {"authority as a switch", R"({"authority": true})", "«authority»"},
      {"unknown authority", R"({"authority": {"numbers": true}})", "«numbers»"},
      {"short answers as a number", R"({"authority": {"short_answers": 1}})", "short_answers"},
      {"dictionary as a text", R"({"authority": {"dictionary": "sort"}})", "dictionary"},
      {"dictionary as a list of numbers", R"({"authority": {"dictionary": [1]}})", "dictionary"},
      {"dictionary as a list of kinds", R"({"authority": {"dictionary": ["sort"]}})", nullptr},

      {"nearer than the same", R"({"near_duplicate": 1.01})", "«near_duplicate»"},
      {"negative", R"({"near_duplicate": -0.1})", "«near_duplicate»"},
      {"as a whole number", R"({"near_duplicate": 1})", nullptr},
      {"as a text", R"({"near_duplicate": "0.9"})", "«near_duplicate»"},

      {"another end", R"({"after_last_round": "accept"})", "«after_last_round»"},
      {"no end", R"({"after_last_round": null})", "«after_last_round»"},
  }));
  CAPTURE(row.why);
  if (row.named == nullptr) {
    CHECK(reads(row.text) == "ok");
  } else {
    CHECK_THAT(reads(row.text), Catch::Contains(row.named));
  }
}
