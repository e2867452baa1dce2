#pragma once
// What the journal says of each thing that happens on a package's way.

#include <optional>
#include <string>

#include "arbiter/round.h"

namespace flagman::daemon {

/// The kind and the data of one journal entry.
struct Fact {
  std::string kind;
  std::string data;  // canonical JSON
};

/// The fact that a command of the state machine is; texts of models stay with their calls.
[[nodiscard]] Fact fact_of(const arbiter::Command& command);

/// An answer that came in, before anything is made of it: its status and the digest of its body.
[[nodiscard]] Fact answer_fact(const std::string& step, int call,
                               const arbiter::ModelResponse& response);

/// A revision's author key: its commitment.
[[nodiscard]] Fact key_fact(const validators::ItemName& item, int revision,
                            const std::string& commitment);

/// A package was received: its body's digest and size, and the digests of the policy and of the
/// games (canonical JSON) by which it is judged from then on, and this program's version.
[[nodiscard]] Fact received_fact(const std::string& body, const std::string& policy,
                                 const std::string& games);

/// What a person decided about an item, who and why; or that somebody stopped the package.
[[nodiscard]] Fact operator_fact(const validators::ItemName& item, const std::string& act,
                                 const std::string& who, const std::string& why);
[[nodiscard]] Fact cancelled_fact();

/// No revision came in time.
[[nodiscard]] Fact overdue_fact(const validators::ItemName& item, int revision);

/// A package was set aside for a person: that many of its workers died in a row.
[[nodiscard]] Fact set_aside_fact(int crashes);

}  // namespace flagman::daemon
