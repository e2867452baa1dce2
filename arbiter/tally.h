#pragma once
// The tally: what all ballots of an item say together, and where code has the
// last word against them.

#include <vector>

#include "arbiter/ballot.h"
#include "arbiter/policy.h"
#include "validators/package.h"
#include "validators/reason.h"

namespace flagman::arbiter {

enum class TallyResult { accepted, flagged, disputed };

struct Tally {
  TallyResult result = TallyResult::disputed;
  validators::Reason reason = validators::Reason::solvers_disagree;  // unless accepted
};

/// `ballots` holds one ballot a solver, at least two. In this order: a pair that all call an
/// expansion and that does not expand is flagged; an item that all call unsound is flagged; a pair
/// that some call an expansion and that does not expand is disputed; all answers equal to the key
/// and all sound is accepted; anything else is disputed.
[[nodiscard]] Tally tally_ballots(const validators::Item& item, const validators::GameKind& kind,
                                  const std::vector<Ballot>& ballots, const Policy& policy);

}  // namespace flagman::arbiter
