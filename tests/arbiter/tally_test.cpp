#include "arbiter/tally.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/arbiter/packages.h"

using namespace flagman::arbiter;
using namespace flagman::arbiter::testing;

namespace {

Item read(const std::string& kind, const std::string& written) {
  const flagman::validators::GameTerms terms{{"Одна Н", "Две НН"}, {}, false, {}, {}};
  auto item = flagman::validators::read_item(written, kind_named(kind), terms, {kind, 0}, {});
  REQUIRE(item.sound());
  return item;
}

std::string tallied(const std::string& kind, const Item& item, const std::vector<Ballot>& ballots,
                    const Policy& policy = {}) {
  const auto tally = tally_ballots(item, kind_named(kind), ballots, policy);
  switch (tally.result) {
    case TallyResult::accepted:
      return "accepted";
    case TallyResult::flagged:
      return "flagged " + std::string{name_of(tally.reason)};
    case TallyResult::disputed:
      break;
  }
  return "disputed " + std::string{name_of(tally.reason)};
}

// "A+": the author's answer, sound. "B-": another, unsound.
std::vector<Ballot> votes(const std::string& text) {
  std::vector<Ballot> ballots;
  for (std::size_t i = 0; i + 1 < text.size(); i += 3) {
    Ballot ballot;
    ballot.answer = std::string{text[i] == 'A' ? "Две НН" : text[i] == 'B' ? "Одна Н" : "Нет Н"};
    ballot.sound = text[i + 1] == '+';
    ballots.push_back(ballot);
  }
  return ballots;
}

}  // namespace

TEST_CASE("what all ballots of an item say together", "[arbiter]") {
  struct Row {
    const char* why;
    std::string votes, want;
  };
  const auto row = GENERATE(values<Row>({
      {"both with the author", "A+ A+", "accepted"},
      {"one against", "A+ B+", "disputed solvers_disagree"},
      {"the other against", "B+ A+", "disputed solvers_disagree"},
      {"both against the author, agreeing", "B+ B+", "disputed solvers_disagree"},
      {"both against the author and each other", "B+ C+", "disputed solvers_disagree"},
      {"both unsound, with the author", "A- A-", "flagged solver_says_unsound"},
      {"both unsound, against the author", "B- C-", "flagged solver_says_unsound"},
      {"one says unsound, both with the author", "A+ A-", "disputed solver_says_unsound"},
      {"one says unsound and disagrees", "A+ B-", "disputed solver_says_unsound"},
      {"one says unsound, the other disagrees", "B+ A-", "disputed solver_says_unsound"},
      {"three with the author", "A+ A+ A+", "accepted"},
      {"two to one for the author", "A+ A+ B+", "disputed solvers_disagree"},
      {"two to one against", "B+ A+ B+", "disputed solvers_disagree"},
      {"all three against, agreeing", "B+ B+ B+", "disputed solvers_disagree"},
      {"two of three say unsound", "A- A+ A-", "disputed solver_says_unsound"},
      {"one of three says unsound", "A+ A+ A-", "disputed solver_says_unsound"},
      {"all three say unsound", "A- B- C-", "flagged solver_says_unsound"},
  }));
  CAPTURE(row.why, row.votes);
  const auto item = read("sort", R"({"w": "маши..ый", "key": "Две НН"})");
  CHECK(tallied("sort", item, votes(row.votes)) == row.want);
}

TEST_CASE("a pair that all call an expansion must expand, by code", "[arbiter]") {
  struct Row {
    const char* why;
    std::string relations;  // "e": expansion, "o": other
    bool expands, sound_all, sound_some, with_author;
    std::string want;
  };
  const auto row = GENERATE(values<Row>({
      {"all say so and it does", "ee", true, true, true, true, "accepted"},
      {"some say so and it does", "eo", true, true, true, true, "accepted"},
      {"none says so and it does", "oo", true, true, true, true, "accepted"},
      {"all say so and it does not, recorded run", "ee", false, true, true, true,
       "flagged pair_does_not_expand"},
      {"some say so and it does not", "eo", false, true, true, true, "disputed solvers_disagree"},
      {"the other says so", "oe", false, true, true, true, "disputed solvers_disagree"},
      {"none says so and it does not", "oo", false, true, true, true, "accepted"},

      {"it expands, code only vetoes", "ee", true, true, true, false, "disputed solvers_disagree"},
      {"broken, against the author", "ee", false, true, true, false,
       "flagged pair_does_not_expand"},
      {"broken for some, against the author", "eo", false, true, true, false,
       "disputed solvers_disagree"},
      {"other, against the author", "oo", false, true, true, false, "disputed solvers_disagree"},

      {"expands, one unsound", "ee", true, false, true, true, "disputed solver_says_unsound"},
      {"broken, one unsound, whatever the votes", "ee", false, false, true, true,
       "flagged pair_does_not_expand"},
      {"broken for some, one unsound", "eo", false, false, true, true,
       "disputed solver_says_unsound"},
      {"other, one unsound", "oo", false, false, true, true, "disputed solver_says_unsound"},

      {"expands, all unsound", "ee", true, false, false, true, "flagged solver_says_unsound"},
      {"broken, all unsound, whatever the votes", "ee", false, false, false, true,
       "flagged pair_does_not_expand"},
      {"broken for some, all unsound", "eo", false, false, false, true,
       "flagged solver_says_unsound"},
      {"other, all unsound", "oo", false, false, false, true, "flagged solver_says_unsound"},

      {"all three say so and it does not", "eee", false, true, true, true,
       "flagged pair_does_not_expand"},
      {"two of three say so and it does not", "eeo", false, true, true, true,
       "disputed solvers_disagree"},
      {"two of three say so and it does", "eeo", true, true, true, true, "accepted"},
  }));
  const std::string kind = GENERATE("pairs", "memory");
  CAPTURE(row.why, kind);
  const auto* const right = row.expands ? "машинная вязка" : "машинная вязка свитера";
  Json written;
  written[kind == "pairs" ? "left" : "a"] = "маши..ая вязка";
  written[kind == "pairs" ? "right" : "b"] = right;
  std::vector<Ballot> ballots;
  for (const char relation : row.relations) {
    Ballot ballot;
    ballot.sound = row.sound_all || (row.sound_some && ballots.empty());
    ballot.answer = std::string{row.with_author || !ballots.empty() ? right : "другая"};
    ballot.relation = relation == 'e' ? Relation::expansion : Relation::other;
    ballots.push_back(ballot);
  }
  CHECK(tallied(kind, read(kind, written.dump()), ballots) == row.want);
}

TEST_CASE("the policy says how many letters a gap takes and whether numbers count", "[arbiter]") {
  const auto pair = read("pairs", R"({"left": "а..я", "right": "абвгя"})");
  Ballot ballot;
  ballot.sound = true;
  ballot.answer = std::string{"абвгя"};
  ballot.relation = Relation::expansion;
  Policy policy;
  policy.gap_max = 3;
  CHECK(tallied("pairs", pair, {ballot, ballot}, policy) == "accepted");
  policy.gap_max = 2;
  CHECK(tallied("pairs", pair, {ballot, ballot}, policy) == "flagged pair_does_not_expand");

  const auto gap = read("gap", R"({"q": "Сколько будет 6/8?", "key": "3/4", "accept": ["0,750"]})");
  Ballot number;
  number.sound = true;
  number.answer = std::string{"75 %"};
  CHECK(tallied("gap", gap, {number, number}, policy) == "accepted");
  policy.authority.short_answers = false;
  CHECK(tallied("gap", gap, {number, number}, policy) == "disputed solvers_disagree");
}

TEST_CASE("a wheel's item is judged by its soundness alone", "[arbiter]") {
  const auto item = read("wheel", "\"изране..ый\"");
  Ballot sound, unsound;
  sound.sound = true;
  CHECK(tallied("wheel", item, {sound, sound}) == "accepted");
  CHECK(tallied("wheel", item, {sound, unsound}) == "disputed solver_says_unsound");
  CHECK(tallied("wheel", item, {unsound, unsound}) == "flagged solver_says_unsound");
}
