#include "arbiter/tally.h"

#include <algorithm>

#include "arbiter/answer.h"
#include "validators/expansion.h"
#include "validators/text.h"

namespace flagman::arbiter {
namespace {

using validators::Reason;

bool expands(const validators::Item& item, const validators::GameKind& kind, int gap_max) {
  const auto left = validators::tidy(item.face->text);
  const auto right = validators::tidy(std::get<std::string>(item.key->answer()));
  return validators::check_pair_expansion(left, right,
                                          {.letters_max = gap_max, .also = kind.gap_also}) ==
         validators::Expansion::expands;
}

}  // namespace

Tally tally_ballots(const validators::Item& item, const validators::GameKind& kind,
                    const std::vector<Ballot>& ballots, const Policy& policy) {
  const auto says_expansion = [](const Ballot& ballot) {
    return ballot.relation == Relation::expansion;
  };
  const auto says_sound = [](const Ballot& ballot) { return ballot.sound; };
  const bool any_expansion = std::any_of(ballots.begin(), ballots.end(), says_expansion);
  const bool all_expansion = std::all_of(ballots.begin(), ballots.end(), says_expansion);
  const bool broken = any_expansion && !expands(item, kind, policy.gap_max);
  if (broken && all_expansion) return {TallyResult::flagged, Reason::pair_does_not_expand};
  if (std::none_of(ballots.begin(), ballots.end(), says_sound)) {
    return {TallyResult::flagged, Reason::solver_says_unsound};
  }
  if (!std::all_of(ballots.begin(), ballots.end(), says_sound)) {
    return {TallyResult::disputed, Reason::solver_says_unsound};
  }
  const bool all_equal = std::all_of(ballots.begin(), ballots.end(), [&](const Ballot& ballot) {
    return equals_key(ballot.answer, *item.key, kind.answer, policy.authority);
  });
  if (broken || !all_equal) return {TallyResult::disputed, Reason::solvers_disagree};
  return {TallyResult::accepted, {}};
}

}  // namespace flagman::arbiter
