#pragma once
// One package under a lease: its record folded into the state machine's state, and each thing that
// happens turned into one change for the database. No database and no clock in here.

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "arbiter/round.h"
#include "daemon/journal/entry.h"
#include "daemon/journal/record.h"
#include "daemon/journal/time.h"
#include "daemon/model_port.h"
#include "daemon/replay.h"
#include "daemon/store/rows.h"
#include "daemon/worker/rules.h"

namespace flagman::daemon {

/// An ask that is to be carried out.
struct Ask {
  ModelCall call;
  std::variant<arbiter::SolveStep, arbiter::HearingStep> step;
};

class PackageRun {
 public:
  /// 32 random bytes at each call.
  using Salts = std::function<std::string()>;

  /// Takes up a package where its record ends. `rebuild_wait` is how long an author may take for a
  /// revision. Throws std::runtime_error where the record cannot be folded: the package must then
  /// not be written to. `observer` is told what is folded.
  PackageRun(const ClaimedPackage& claimed, PackageRecord record, Rules rules, Writer writer,
             Salts salts, std::chrono::milliseconds rebuild_wait, const Observer& observer = {});

  /// The asks that have no answer on record, in the order in which they came up. Each is given
  /// once.
  [[nodiscard]] std::vector<Ask> take_asks();

  /// What the record lacks although nothing new was answered: the opening of a new package, acts in
  /// the inbox, revisions that are overdue. Nothing: the record is up to date.
  [[nodiscard]] std::optional<Change> catch_up(Time now);

  /// An answer came in. Nothing where no ask waits for it any more.
  [[nodiscard]] std::optional<Change> take_answer(const Ask& ask,
                                                  const arbiter::ModelResponse& response, Time now);

  /// The acts from outside the lease that no entry has taken in, `count` in the inbox in all. They
  /// are taken by the next catch_up.
  void see_inbox(std::vector<InboxRow> rows, std::int64_t count);

  /// Nothing is left to do under this lease: settled, or waiting for the inbox.
  [[nodiscard]] bool idle() const { return open_asks_.empty() && inbox_.empty(); }

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const arbiter::RoundState& state() const { return state_; }

 private:
  struct Projected {
    int revision = 0;
    std::string outcome;
  };

  void fold(const PackageRecord& record, const Observer& observer);
  void note_asks(const std::vector<arbiter::Command>& commands);
  void make_true(Change& change, const Fact& fact, Time now);
  void make_true(Change& change, const std::vector<arbiter::Command>& commands, Time now);
  void add_key(Change& change, const validators::ItemName& item, int revision,
               const std::string& key_written, Time now);
  void open(Change& change, Time now);
  void take_act(Change& change, const InboxRow& act, Time now);
  void take_overdue(Change& change, Time now);
  [[nodiscard]] std::vector<validators::ItemName> overdue_at(Time now) const;
  void note_request(const validators::Json& data, const std::string& time);
  void close_requests(Change& change);
  Change begin_change() const;
  void end_change(Change& change, Time now);
  void project(Change& change);

  std::int64_t package_;
  std::int64_t epoch_;
  std::int64_t seen_inbox_;
  std::string name_;
  std::string status_;  // of the package, as the database has it
  std::string body_;
  Rules rules_;
  std::chrono::milliseconds rebuild_wait_;
  Writer writer_;
  Salts salts_;
  Chain chain_;
  arbiter::RoundState state_;
  bool opened_;                            // the opening is on record
  std::vector<arbiter::Command> opening_;  // of a package that is new
  std::map<std::string, Ask> open_asks_;   // by step: commanded and not answered
  std::vector<std::string> new_asks_;      // steps not given out yet
  std::vector<InboxRow> inbox_;            // not taken yet
  std::map<validators::ItemName, Projected> projected_;
  std::map<validators::ItemName, Time> rebuild_asked_;  // of those that are waited for
};

/// Where a package stands, by its record alone: the state that a worker would go on from.
[[nodiscard]] arbiter::RoundState fold_record(PackageRecord record, const Rules& rules,
                                              const Observer& observer = {});

/// The rows of items as the projection has them, in the package's order.
[[nodiscard]] std::vector<ItemRow> item_rows(const arbiter::RoundState& state);

/// A package that is to be settled without looking into it: its workers died of it five times over
/// (a person looks then), or it was set aside so and is cancelled now.
[[nodiscard]] std::optional<Change> settle_unread(const ClaimedPackage& claimed,
                                                  const PackageRecord& record, const Writer& writer,
                                                  Time now);

}  // namespace flagman::daemon
