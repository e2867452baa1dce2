#include "validators/finding.h"

#include <catch2/catch.hpp>
#include <string>

using namespace flagman::validators;

TEST_CASE("an item's name is read as strictly as it is written", "[validators]") {
  const auto name = parse_item_name("odd_one_out/12");
  REQUIRE(name);
  CHECK(*name == ItemName{"odd_one_out", 12});
  CHECK(to_text(*name) == "odd_one_out/12");
  const auto bad =
      GENERATE(values<std::string>({"", "sort", "sort/", "/3", "sort/-1", "sort/+1", "sort/03",
                                    "sort/3/4", "sort/3@2", "sort/3 ", "sort/99999999999"}));
  CAPTURE(bad);
  CHECK_FALSE(parse_item_name(bad));
}

TEST_CASE("every reason has one name and is found by it", "[validators]") {
  CHECK(all_reasons().size() == 41);
  for (const auto reason : all_reasons()) CHECK(reason_named(name_of(reason)) == reason);
  CHECK_FALSE(reason_named("no_such_reason"));
}

TEST_CASE("reasons of a severity come once each, in order", "[validators]") {
  const std::vector<Finding> findings{
      {Reason::too_long, Severity::flag, {}, "", ""},
      {Reason::bad_json, Severity::reject, {}, "", ""},
      {Reason::empty_text, Severity::flag, {}, "", ""},
      {Reason::too_long, Severity::flag, {}, "", ""},
  };
  CHECK(reasons_of(findings, Severity::flag) ==
        std::vector<Reason>{Reason::too_long, Reason::empty_text});
  CHECK(reasons_of(findings, Severity::warn).empty());
}
