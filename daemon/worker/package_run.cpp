#include "daemon/worker/package_run.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <utility>

#include "daemon/journal/canonical.h"
#include "daemon/store/array_text.h"
#include "validators/json.h"
#include "validators/read_package.h"

namespace flagman::daemon {
namespace {

using namespace arbiter;
using validators::ItemName;
using validators::Json;

validators::Digest digest_from(const std::string& bytes) {
  validators::Digest digest{};
  if (bytes.size() != digest.size()) throw std::runtime_error{"a chain's head is no SHA-256"};
  std::copy(bytes.begin(), bytes.end(), digest.begin());
  return digest;
}

std::string joined(const std::vector<validators::Reason>& reasons) {
  std::string text;
  for (const auto reason : reasons) {
    if (!text.empty()) text += ',';
    text += name_of(reason);
  }
  return text;
}

OperatorAct act_named(const std::string& name) {
  if (name == "accept") return OperatorAct::accept;
  if (name == "reject") return OperatorAct::reject;
  if (name == "rebuild") return OperatorAct::rebuild;
  throw std::runtime_error{"an act of an operator is named «" + name + "»"};
}

bool is_package_settled(const RoundState& state) {
  return state.outcome && *state.outcome != PackageOutcome::running;
}

// A live package may only wait for its author: what is left flagged then is being rebuilt.
bool awaits_rebuild(const RoundState& state) {
  return std::any_of(state.games.begin(), state.games.end(), [](const GameProgress& game) {
    return std::any_of(game.items.begin(), game.items.end(),
                       [](const ItemProgress& item) { return item.awaits_revision; });
  });
}

constexpr int crashes_max = 5;

Event answer_event(const Ask& ask, const ModelResponse& response) {
  if (const auto* solve = std::get_if<SolveStep>(&ask.step)) {
    return SolverAnswered{*solve, ask.call.call, response};
  }
  return ArbiterAnswered{std::get<HearingStep>(ask.step), ask.call.call, response};
}

Chain chain_of(const ClaimedPackage& claimed, const std::string& name, const std::string& body) {
  if (claimed.head_seq == 0) return {name, chain_root(name, body)};
  return {name, claimed.head_seq, digest_from(claimed.head_hash)};
}

bool was_set_aside(const PackageRecord& record) {
  if (record.entries.size() < 2) return false;
  return Json::parse(record.entries[record.entries.size() - 2])["kind"] == "package_set_aside";
}

// Which event of the machine an entry of the journal speaks of.
class RecordReader {
 public:
  explicit RecordReader(const PackageRecord& record) : record_(record) {
    for (const auto& call : record.calls) calls_[{call.step, call.call}] = &call;
  }

  // Takes an answered ask out of `open_asks`.
  std::optional<Event> event_of(const std::string& kind, const Json& data,
                                std::map<std::string, Ask>& open_asks) const {
    if (kind == "answered") return answer(data, open_asks);
    if (kind == "revision_taken") return revision(data);
    if (kind == "rebuild_overdue") return RevisionOverdue{item_of(data)};
    if (kind == "operator_decided") {
      return OperatorDecided{item_of(data), act_named(data["act"].get<std::string>())};
    }
    if (kind == "cancel_asked") return PackageCancelled{};
    return std::nullopt;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw std::runtime_error{"the record of «" + record_.name + "» " + what};
  }

  ItemName item_of(const Json& data) const {
    auto item = validators::parse_item_name(data["item"].get<std::string>());
    if (!item) refuse("names no item: " + data["item"].dump());
    return std::move(*item);
  }

  Event answer(const Json& data, std::map<std::string, Ask>& open_asks) const {
    const auto step = data["step"].get<std::string>();
    const auto call = calls_.find({step, data["call"].get<int>()});
    const auto ask = open_asks.find(step);
    if (call == calls_.end() || ask == open_asks.end()) {
      refuse("has an answer that nobody asked: " + step);
    }
    auto event = answer_event(ask->second, call->second->response);
    open_asks.erase(ask);
    return event;
  }

  Event revision(const Json& data) const {
    const auto item = item_of(data);
    const auto number = data["revision"].get<int>();
    const auto row = std::find_if(record_.inbox.begin(), record_.inbox.end(), [&](const auto& act) {
      return act.kind == "revision" && act.item == to_text(item) && act.revision == number;
    });
    if (row == record_.inbox.end()) refuse("lacks a revision of " + to_text(item));
    return RevisionDelivered{item, number, row->body};
  }

  const PackageRecord& record_;
  std::map<std::pair<std::string, int>, const CallRow*> calls_;
};

}  // namespace

PackageRun::PackageRun(const ClaimedPackage& claimed, PackageRecord record, Rules rules,
                       Writer writer, Salts salts, std::chrono::milliseconds rebuild_wait,
                       const Observer& observer)
    : package_(claimed.id),
      epoch_(claimed.epoch),
      seen_inbox_(claimed.inbox_count),
      name_(record.name),
      status_(record.status),
      body_(std::move(record.body)),
      rules_(std::move(rules)),
      rebuild_wait_(rebuild_wait),
      writer_(std::move(writer)),
      salts_(std::move(salts)),
      chain_(chain_of(claimed, name_, body_)),
      opened_(!rule_digests(record).policy.empty()) {
  auto start = start_package(
      validators::read_package(body_, rules_.games.kinds, check_policy(rules_.policy)), name_,
      rules_.policy);
  state_ = std::move(start.state);
  note_asks(start.commands);
  if (opened_) {
    if (observer) {
      for (const auto& command : start.commands) observer(command, state_);
    }
    fold(record, observer);
  } else {
    opening_ = std::move(start.commands);
  }
  for (auto& act : record.inbox) {
    if (!act.taken) inbox_.push_back(std::move(act));
  }
}

// Feeds the machine what the journal says happened, in the journal's order.
void PackageRun::fold(const PackageRecord& record, const Observer& observer) {
  const RecordReader reader{record};
  for (const auto& bytes : record.entries) {
    const auto entry = Json::parse(bytes);
    const auto& kind = entry["kind"].get_ref<const std::string&>();
    const auto& data = entry["data"];
    if (kind == "rebuild_requested") note_request(data, entry["time"].get<std::string>());
    const auto event = reader.event_of(kind, data, open_asks_);
    if (!event) continue;
    if (observer) observer(*event, state_);
    const auto commands = arbiter::apply(state_, *event);
    if (observer) {
      for (const auto& command : commands) observer(command, state_);
    }
    note_asks(commands);
  }
  if (state_.outcome) open_asks_.clear();
  Change unused;
  project(unused);
}

void PackageRun::note_request(const Json& data, const std::string& time) {
  const auto asked = parse_time(time);
  const auto item = validators::parse_item_name(data["item"].get<std::string>());
  if (asked && item) rebuild_asked_[*item] = *asked;
}

std::vector<Ask> PackageRun::take_asks() {
  std::vector<Ask> asks;
  std::set<std::string> given;  // a folded record names a step once for each of its asks
  for (const auto& step : std::exchange(new_asks_, {})) {
    const auto ask = open_asks_.find(step);
    if (ask != open_asks_.end() && given.insert(step).second) asks.push_back(ask->second);
  }
  return asks;
}

void PackageRun::note_asks(const std::vector<Command>& commands) {
  for (const auto& command : commands) {
    Ask ask;
    std::string step;
    if (const auto* solver = std::get_if<AskSolver>(&command)) {
      step = to_text(solver->step);
      ask = {{name_, step, solver->call, to_json(solver->sheet)}, solver->step};
    } else if (const auto* arbiter = std::get_if<AskArbiter>(&command)) {
      step = to_text(arbiter->step);
      ask = {{name_, step, arbiter->call, to_json(arbiter->question)}, arbiter->step};
    } else {
      continue;
    }
    open_asks_.insert_or_assign(step, std::move(ask));
    new_asks_.push_back(std::move(step));
  }
}

std::optional<Change> PackageRun::catch_up(Time now) {
  auto change = begin_change();
  if (!opened_) open(change, now);
  for (const auto& act : std::exchange(inbox_, {})) take_act(change, act, now);
  take_overdue(change, now);
  end_change(change, now);
  // A lease that finds nothing to do is given back as it stands.
  if (change.entries.empty() && change.leave == Leave::stay) return std::nullopt;
  return change;
}

void PackageRun::open(Change& change, Time now) {
  make_true(change, received_fact(body_, rules_.policy_written, rules_.games.written), now);
  for (const auto& game : state_.games) {
    for (std::size_t i = 0; i < game.items.size(); ++i) {
      add_key(change, {game.kind->name, static_cast<int>(i)}, 1, game.items[i].item.key_written(),
              now);
    }
  }
  make_true(change, std::exchange(opening_, {}), now);
  opened_ = true;
}

std::optional<Change> PackageRun::take_answer(const Ask& ask, const ModelResponse& response,
                                              Time now) {
  const auto open = open_asks_.find(ask.call.step);
  if (open == open_asks_.end() || open->second.call.call != ask.call.call) return std::nullopt;
  auto change = begin_change();
  const auto event = answer_event(ask, response);
  open_asks_.erase(open);
  make_true(change, answer_fact(ask.call.step, ask.call.call, response), now);
  change.calls.push_back({ask.call.step, ask.call.call, response, ask.call.question});
  const auto commands = arbiter::apply(state_, event);
  note_asks(commands);
  make_true(change, commands, now);
  end_change(change, now);
  return change;
}

void PackageRun::see_inbox(std::vector<InboxRow> rows, std::int64_t count) {
  seen_inbox_ = count;
  inbox_ = std::move(rows);
}

void PackageRun::take_act(Change& change, const InboxRow& act, Time now) {
  std::vector<Command> commands;
  if (act.kind == "revision") {
    const auto item = *validators::parse_item_name(act.item);
    commands = arbiter::apply(state_, RevisionDelivered{item, act.revision, act.body});
    change.closed_rebuilds.emplace_back(item, act.revision);
    rebuild_asked_.erase(item);
  } else if (act.kind == "review") {
    const auto item = *validators::parse_item_name(act.item);
    make_true(change, operator_fact(item, act.decision, act.who, act.why), now);
    commands = arbiter::apply(state_, OperatorDecided{item, act_named(act.decision)});
  } else {
    make_true(change, cancelled_fact(), now);
    commands = arbiter::apply(state_, PackageCancelled{});
    if (state_.outcome == PackageOutcome::cancelled) {
      open_asks_.clear();
      new_asks_.clear();
      close_requests(change);
    }
  }
  note_asks(commands);
  make_true(change, commands, now);
  change.taken.emplace_back(act.id, chain_.length());
}

// Nobody is waited for any more.
void PackageRun::close_requests(Change& change) {
  for (const auto& [item, asked] : std::exchange(rebuild_asked_, {})) {
    const auto* progress = find_item(state_, item);
    if (progress != nullptr && progress->awaits_revision) {
      change.closed_rebuilds.emplace_back(item, state_.round + 1);
    }
  }
}

void PackageRun::take_overdue(Change& change, Time now) {
  for (const auto& item : overdue_at(now)) {
    const int revision = state_.round + 1;
    rebuild_asked_.erase(item);
    make_true(change, overdue_fact(item, revision), now);
    const auto commands = arbiter::apply(state_, RevisionOverdue{item});
    change.closed_rebuilds.emplace_back(item, revision);
    note_asks(commands);
    make_true(change, commands, now);
  }
}

std::vector<ItemName> PackageRun::overdue_at(Time now) const {
  std::vector<ItemName> items;
  for (const auto& [item, asked] : rebuild_asked_) {
    const auto* progress = find_item(state_, item);
    if (progress != nullptr && progress->awaits_revision && asked + rebuild_wait_ <= now) {
      items.push_back(item);
    }
  }
  return items;
}

Change PackageRun::begin_change() const {
  Change change;
  change.package = package_;
  change.epoch = epoch_;
  change.old_seq = chain_.length();
  return change;
}

void PackageRun::end_change(Change& change, Time now) {
  project(change);
  change.new_seq = chain_.length();
  change.new_hash.assign(chain_.head().begin(), chain_.head().end());
  change.seen_inbox = seen_inbox_;
  std::string status = "running";
  if (is_package_settled(state_)) {
    status = name_of(*state_.outcome);
    change.reasons = joined(state_.reasons);
    change.leave = Leave::finish;
  } else if (idle() && awaits_rebuild(state_)) {
    status = "awaiting_rebuild";
    change.leave = Leave::release;
    for (const auto& [item, asked] : rebuild_asked_) {
      const auto left = std::max<std::chrono::milliseconds>(asked + rebuild_wait_ - now, {});
      change.wake_after = std::min(change.wake_after.value_or(left), left);
    }
  }
  if (status != status_) change.status = status;
  status_ = std::move(status);
}

void PackageRun::make_true(Change& change, const Fact& fact, Time now) {
  change.entries.push_back(chain_.next(fact.kind, fact.data, to_rfc3339(now), writer_));
}

void PackageRun::make_true(Change& change, const std::vector<Command>& commands, Time now) {
  for (const auto& command : commands) {
    make_true(change, fact_of(command), now);
    if (const auto* request = std::get_if<RequestRebuild>(&command)) {
      change.rebuilds.push_back(
          {request->brief.item, request->brief.revision, to_json(request->brief)});
      rebuild_asked_[request->brief.item] = now;
    } else if (const auto* taken = std::get_if<RevisionTaken>(&command)) {
      const auto* progress = find_item(state_, taken->item);
      const auto& item = progress->next ? *progress->next : progress->item;
      add_key(change, taken->item, taken->revision, item.key_written(), now);
    }
  }
}

void PackageRun::add_key(Change& change, const ItemName& item, int revision,
                         const std::string& key_written, Time now) {
  KeyRow row{item, revision, canonical_json(Json::parse(key_written)), salts_(), {}};
  row.commitment = key_commitment(row.salt, row.key);
  make_true(change, key_fact(item, revision, validators::hex(row.commitment)), now);
  change.keys.push_back(std::move(row));
}

// The rows that status and generators read: what changed of each item.
void PackageRun::project(Change& change) {
  for (auto& row : item_rows(state_)) {
    auto& projected = projected_[row.item];
    if (projected.revision == row.revision && projected.outcome == row.outcome) continue;
    projected = {row.revision, row.outcome};
    change.items.push_back(std::move(row));
  }
}

std::vector<ItemRow> item_rows(const RoundState& state) {
  std::vector<ItemRow> rows;
  for (const auto& game : state.games) {
    for (std::size_t i = 0; i < game.items.size(); ++i) {
      const auto& progress = game.items[i];
      ItemRow row;
      row.item = {game.kind->name, static_cast<int>(i)};
      row.revision = progress.revision;
      row.outcome = name_of(progress.outcome);
      row.written = progress.item.written();
      row.echo = storable_text(game.echoes.at(i));
      if (!progress.history.empty() && progress.history.back().revision == progress.revision) {
        const auto& decision = progress.history.back();
        if (decision.route) row.route = name_of(*decision.route);
        row.reasons = joined(decision.reasons);
      }
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

RoundState fold_record(PackageRecord record, const Rules& rules, const Observer& observer) {
  ClaimedPackage claimed;
  claimed.id = record.id;
  claimed.head_seq = static_cast<std::int64_t>(record.entries.size());
  if (!record.entries.empty()) {
    const auto hash = entry_hash(record.entries.back());
    claimed.head_hash.assign(hash.begin(), hash.end());
  }
  const auto no_salt = [] { return std::string{}; };
  return PackageRun{claimed, std::move(record), rules, {}, no_salt, {}, observer}.state();
}

std::optional<Change> settle_unread(const ClaimedPackage& claimed, const PackageRecord& record,
                                    const Writer& writer, Time now) {
  const bool set_aside = was_set_aside(record);
  const auto cancel = std::find_if(record.inbox.begin(), record.inbox.end(), [](const auto& act) {
    return act.kind == "cancel" && !act.taken;
  });
  const bool cancelled = set_aside && cancel != record.inbox.end();
  if (!cancelled && claimed.crashes < crashes_max) return std::nullopt;
  auto chain = chain_of(claimed, record.name, record.body);
  Change change;
  change.package = claimed.id;
  change.epoch = claimed.epoch;
  change.old_seq = chain.length();
  const auto add = [&](const Fact& fact) {
    change.entries.push_back(chain.next(fact.kind, fact.data, to_rfc3339(now), writer));
  };
  auto outcome = PackageOutcome::manual_review;
  if (cancelled) {
    outcome = PackageOutcome::cancelled;
    add(cancelled_fact());
    change.taken.emplace_back(cancel->id, chain.length());
  } else {
    add(set_aside_fact(claimed.crashes));
  }
  add(fact_of(PackageDecided{outcome, {}}));
  change.status = name_of(outcome);
  change.reasons = "";
  change.leave = Leave::finish;
  change.new_seq = chain.length();
  change.new_hash.assign(chain.head().begin(), chain.head().end());
  change.seen_inbox = claimed.inbox_count;
  return change;
}

}  // namespace flagman::daemon
