#pragma once
// The way of a package as a pure state machine: events in, commands out.
//
// The worker carries commands out and feeds events in; a replay feeds recorded
// ones, a simulation invented ones. The decisions do not depend on the order in
// which answers arrive. There is no event that carries a key: a key comes only
// inside a revision that the author delivered.

#include <array>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "arbiter/asking.h"
#include "arbiter/ballot.h"
#include "arbiter/blind_sheet.h"
#include "arbiter/hearing.h"
#include "arbiter/outcome.h"
#include "arbiter/policy.h"
#include "arbiter/rebuild_brief.h"
#include "arbiter/reply.h"
#include "arbiter/step.h"
#include "arbiter/verdict.h"
#include "validators/package.h"

namespace flagman::arbiter {

// ---- what is decided ----

/// What became of one revision of an item. The key is not part of it: it is the revision's own.
struct Decision {
  int revision = 1;
  Outcome outcome = Outcome::pending;
  std::optional<Route> route;               // absent: not recorded
  std::vector<validators::Reason> reasons;  // the most telling first; of an accepted item none
};

// ---- events ----

struct SolverAnswered {
  SolveStep step;
  int call = 1;
  ModelResponse response;
};
struct ArbiterAnswered {
  HearingStep step;
  int call = 1;
  ModelResponse response;
};
/// In a replay: the run has no answer for the ask in hand.
struct SolverNotRecorded {
  SolveStep step;
};
struct ArbiterNotRecorded {
  HearingStep step;
};
/// The author delivered a revision of a flagged item, as JSON text.
struct RevisionDelivered {
  validators::ItemName item;
  int revision = 2;
  std::string written;
};
/// No revision will come: the run has none, so the item stays flagged.
struct RevisionNotRecorded {
  validators::ItemName item;
};
/// No revision came in time: a person looks.
struct RevisionOverdue {
  validators::ItemName item;
};

/// What a person may decide about an item in manual review. There is no key in it either.
enum class OperatorAct {
  accept,  // with the author's key
  reject,
  rebuild,  // one more round for this item
};
struct OperatorDecided {
  validators::ItemName item;
  OperatorAct act = OperatorAct::accept;
};
/// The package is stopped: no answer counts any more.
struct PackageCancelled {};

using Event = std::variant<SolverAnswered, ArbiterAnswered, SolverNotRecorded, ArbiterNotRecorded,
                           RevisionDelivered, RevisionNotRecorded, RevisionOverdue, OperatorDecided,
                           PackageCancelled>;

// ---- commands, and facts for the record ----

struct AskSolver {
  SolveStep step;
  int call = 1;
  BlindSheet sheet;
};
struct AskArbiter {
  HearingStep step;
  int call = 1;
  HearingQuestion question;
};
struct RequestRebuild {
  RebuildBrief brief;
};
/// A reply, or the want of one, that is asked again or was the last ask.
struct AskFailed {
  std::string step;
  int call = 1;
  std::optional<Refusal> refusal;  // absent: no reply came
};
struct BallotsTaken {
  SolveStep step;
  int call = 1;
  std::vector<int> ordinals;  // of the sheet, in its order
  std::vector<Ballot> ballots;
};
struct HearingOpened {
  validators::ItemName item;
  validators::Reason reason;
  std::vector<Candidate> candidates;
};
struct RulingTaken {
  HearingStep step;
  int call = 1;
  std::optional<std::string> choice;
  std::string why;
};
struct HearingClosed {
  validators::ItemName item;
  Verdict verdict;
};
/// A revision that was not asked for, or that came a second time: it changes nothing.
struct DeliveryRefused {
  validators::ItemName item;
  int revision = 0;
};
struct RevisionTaken {
  validators::ItemName item;
  int revision = 2;
  std::string written;
};
struct ItemDecided {
  validators::ItemName item;
  Decision decision;
};
struct PackageDecided {
  PackageOutcome outcome = PackageOutcome::accepted;
  std::vector<validators::Reason> reasons;  // of a document that was rejected
};

using Command = std::variant<AskSolver, AskArbiter, RequestRebuild, AskFailed, BallotsTaken,
                             HearingOpened, RulingTaken, HearingClosed, DeliveryRefused,
                             RevisionTaken, ItemDecided, PackageDecided>;

// ---- the state ----

struct ItemProgress {
  validators::Item item;  // the revision in force
  int revision = 1;
  Outcome outcome = Outcome::pending;
  std::vector<Decision> history;          // one a revision that was decided
  std::vector<std::string> keys_written;  // the key of each revision in `history`
  int last_round = 0;                     // flagged in this one, its rounds are used up
  bool awaits_revision = false;           // a rebuild was asked and nothing was heard of it
  std::optional<validators::Item> next;   // delivered, in force from the next round on
  std::optional<validators::Reason> dispute;
  std::vector<Candidate> candidates;
  std::array<Asking, 2> asking;  // by order
  std::array<std::optional<Ruling>, 2> rulings;
};

/// A stretch of a game's open items that every solver is asked about with one sheet.
struct SheetProgress {
  int number = 1;
  std::vector<int> ordinals;
  BlindSheet sheet;
  std::vector<Asking> asking;                // by solver
  std::vector<std::vector<Ballot>> ballots;  // by solver; empty until answered
};

struct GameProgress {
  const validators::GameKind* kind = nullptr;  // owned by the package's kinds
  validators::GameTerms terms;
  std::vector<ItemProgress> items;
  std::vector<std::string> echoes;  // of this round, by ordinal
  std::vector<SheetProgress> sheets;
};

struct RoundState {
  Policy policy;
  std::string package;              // the id under which it is known
  validators::Package description;  // its games are empty: they are below
  int round = 0;
  std::vector<GameProgress> games;  // in the order of the package's own text
  std::optional<PackageOutcome> outcome;
  std::vector<validators::Reason> reasons;
};

struct Start {
  RoundState state;
  std::vector<Command> commands;
};

/// Takes a package that was read and starts its first round. `package` is the id for briefs. A
/// rejected document ends here.
[[nodiscard]] Start start_package(validators::PackageReading reading, std::string package,
                                  Policy policy);

/// Takes one event. An event that nobody waits for (another round's, a call that was superseded, a
/// second delivery) changes nothing; a delivery like that is answered with DeliveryRefused.
/// Deterministic: the same state and event give the same state and commands.
[[nodiscard]] std::vector<Command> apply(RoundState& state, const Event& event);

/// The item with that name, or null.
[[nodiscard]] const ItemProgress* find_item(const RoundState& state,
                                            const validators::ItemName& name);

}  // namespace flagman::arbiter
