// Any bytes are ballots of every item asked for, in the form asked for, or refused whole; the same
// of an arbiter's ruling.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <variant>
#include <vector>

#include "arbiter/ballot.h"
#include "arbiter/hearing.h"
#include "arbiter/round.h"
#include "tests/validators/games.h"
#include "validators/read_package.h"

using namespace flagman;

namespace {

// One game of each answer form.
const char* const package =
    R"({"format":"flagman.package/1","games":{"sort":{"baskets":["A","B"],"data":[{"w":"x","key":"A"}]},
"wheel":{"data":["y"]},"memory":{"data":[{"a":"x","b":"y"},{"a":"z","b":"w"}]},"gap":{"data":[{"q":"x","key":"1"}]},
"order":{"data":[{"q":"x","steps":["a","b"]}]},"quiz":{"data":[{"q":"x","options":["a","b"],"key":0}]}}})";

void require(bool holds) {
  if (!holds) std::abort();
}

void check_ballot(const arbiter::Ballot& ballot, validators::AnswerForm form) {
  using validators::AnswerForm;
  const bool steps = form == AnswerForm::sequence;
  const bool none = form == AnswerForm::soundness;
  require(std::holds_alternative<std::monostate>(ballot.answer) == none);
  require(std::holds_alternative<std::vector<std::string>>(ballot.answer) == steps);
  require(ballot.relation.has_value() == (form == AnswerForm::partner));
  if (steps) require(std::get<std::vector<std::string>>(ballot.answer).size() == 2);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto start = arbiter::start_package(
      validators::read_package(package, tests::ten_kinds(), {}), "p", arbiter::Policy{});
  static const std::vector<arbiter::Candidate> candidates{{"A", "", true}, {"B", "", false}};
  const std::string body{reinterpret_cast<const char*>(data), size};
  const arbiter::ModelResponse response{arbiter::ResponseStatus::ok, body};
  for (const auto& game : start.state.games) {
    for (const auto& sheet : game.sheets) {
      const auto ballots = arbiter::parse_ballots(response, sheet.sheet, game.echoes);
      if (!ballots) continue;
      require(ballots->size() == sheet.ordinals.size());
      for (const auto& ballot : *ballots) check_ballot(ballot, sheet.sheet.answer);
    }
    const auto ruling = arbiter::parse_ruling(response, 0, candidates, game.echoes);
    if (!ruling) continue;
    require(!ruling->choice || *ruling->choice < candidates.size());
    static_cast<void>(arbiter::decide_hearing(candidates, {*ruling}));
  }
  return 0;
}
