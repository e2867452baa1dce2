// Any bytes are ballots of every item asked for, or refused whole.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "arbiter/round.h"
#include "tests/validators/games.h"
#include "validators/read_package.h"

using namespace flagman;

namespace {

const char* const package =
    R"({"format":"flagman.package/1","games":{"sort":{"baskets":["A","B"],"data":[{"w":"x","key":"A"}]},
"wheel":{"data":["y"]},"memory":{"data":[{"a":"x","b":"y"}]},"gap":{"data":[{"q":"x","key":"1"}]},
"order":{"data":[{"q":"x","steps":["a","b"]}]},"quiz":{"data":[{"q":"x","options":["a","b"],"key":0}]}}})";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto start = arbiter::start_package(
      validators::read_package(package, tests::ten_kinds()), "p", arbiter::Policy{});
  const std::string body{reinterpret_cast<const char*>(data), size};
  const arbiter::ModelResponse response{arbiter::ResponseStatus::ok, body};
  for (const auto& game : start.state.games) {
    for (const auto& sheet : game.sheets) {
      const auto ballots = arbiter::parse_ballots(response, sheet.sheet, game.echoes);
      if (ballots && ballots->size() != sheet.ordinals.size()) std::abort();
    }
    const std::vector<arbiter::Candidate> candidates{{"A", "", true}, {"B", "", false}};
    const auto ruling = arbiter::parse_ruling(response, 0, candidates, game.echoes);
    if (ruling) static_cast<void>(arbiter::decide_hearing(candidates, {*ruling}));
  }
  return 0;
}
