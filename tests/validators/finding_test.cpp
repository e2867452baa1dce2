#include "validators/finding.h"

#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

using namespace flagman::validators;

TEST_CASE("an item's name is read as it is written", "[validators]") {
  const auto name = parse_item_name("odd_one_out/12");
  REQUIRE(name);
  CHECK(*name == ItemName{"odd_one_out", 12});
  CHECK(to_text(*name) == "odd_one_out/12");
  CHECK(parse_item_name("sort/0") == ItemName{"sort", 0});
  CHECK(parse_item_name("sort/2147483647") == ItemName{"sort", 2147483647});
}

TEST_CASE("what is no item's name is none", "[validators]") {
  const auto bad = GENERATE(values<std::string>({"",
                                                 "/",
                                                 "sort",
                                                 "sort/",
                                                 "/3",
                                                 "sort/-1",
                                                 "sort/-0",
                                                 "sort/+1",
                                                 "sort/03",
                                                 "sort/00",
                                                 "sort/3@2",
                                                 "sort/3 ",
                                                 "sort/ 3",
                                                 "sort/0x3",
                                                 "sort/3.0",
                                                 "sort/3/4",
                                                 "sort//3",
                                                 "sort/2147483648",
                                                 "sort/99999999999",
                                                 "sort/99999999999999999999",
                                                 "sort/٣"}));
  CAPTURE(bad);
  CHECK_FALSE(parse_item_name(bad));
}

TEST_CASE("names order by kind, then by number", "[validators]") {
  CHECK(ItemName{"sort", 2} < ItemName{"sort", 10});
  CHECK(ItemName{"gap", 10} < ItemName{"sort", 2});
}

TEST_CASE("every reason has one name and is found by it", "[validators]") {
  // The contract's list: others store these words.
  const std::set<std::string> contract{"bad_json",
                                       "wrong_format",
                                       "missing_field",
                                       "wrong_type",
                                       "unknown_field",
                                       "too_long",
                                       "too_short",
                                       "too_many",
                                       "empty_text",
                                       "too_few",
                                       "key_outside_domain",
                                       "forbidden_character",
                                       "mixed_alphabet",
                                       "markup",
                                       "duplicate_item",
                                       "near_duplicate_item",
                                       "duplicate_option",
                                       "ambiguous_pair",
                                       "contradictory_keys",
                                       "catalogue_duplicate",
                                       "pair_almost_expands",
                                       "gap_missing",
                                       "giveaway",
                                       "placeholder",
                                       "filling_not_a_word",
                                       "key_against_dictionary",
                                       "several_right",
                                       "none_right",
                                       "solvers_disagree",
                                       "solver_says_unsound",
                                       "pair_does_not_expand",
                                       "arbiter_disagrees",
                                       "arbiter_unstable",
                                       "arbiter_contradicts_itself",
                                       "arbiter_none",
                                       "no_valid_ballot",
                                       "model_unavailable",
                                       "rounds_exhausted",
                                       "rebuild_overdue",
                                       "arbiter_invalid",
                                       "operator_decision"};
  std::set<std::string> ours;
  for (const auto reason : all_reasons()) {
    CHECK(reason_named(name_of(reason)) == reason);
    ours.emplace(name_of(reason));
  }
  CHECK(ours == contract);
  CHECK(all_reasons().size() == contract.size());
  CHECK_FALSE(reason_named("no_such_reason"));
  CHECK_FALSE(reason_named("Bad_json"));
  CHECK_FALSE(reason_named(""));
}

TEST_CASE("severities have the contract's names", "[validators]") {
  CHECK(name_of(Severity::reject) == "reject");
  CHECK(name_of(Severity::flag) == "flag");
  CHECK(name_of(Severity::warn) == "warn");
}

TEST_CASE("reasons of a severity come once each, in order of appearance", "[validators]") {
  const std::vector<Finding> findings{
      {Reason::too_long, Severity::flag, {}, "", ""},
      {Reason::bad_json, Severity::reject, {}, "", ""},
      {Reason::empty_text, Severity::flag, {}, "", ""},
      {Reason::too_long, Severity::flag, {}, "", ""},
      {Reason::bad_json, Severity::flag, {}, "", ""},
  };
  CHECK(reasons_of(findings, Severity::flag) ==
        std::vector<Reason>{Reason::too_long, Reason::empty_text, Reason::bad_json});
  CHECK(reasons_of(findings, Severity::reject) == std::vector<Reason>{Reason::bad_json});
  CHECK(reasons_of(findings, Severity::warn).empty());
}
