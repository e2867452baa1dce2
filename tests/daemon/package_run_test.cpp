// One package under a lease, without a database: what is written is what a later lease goes on
// from, wherever it begins.

#include "daemon/worker/package_run.h"

#include <rapidcheck.h>
#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "daemon/embedded.h"
#include "daemon/record_check.h"
#include "daemon/recorded_models.h"
#include "daemon/recorded_run.h"
#include "daemon/replay.h"
#include "daemon/verify/verifier.h"
#include "daemon/version.h"
#include "validators/digest.h"
#include "validators/json.h"

using namespace flagman;
using namespace flagman::daemon;
using namespace std::chrono_literals;
using validators::Json;

namespace {

const RecordedRun& n_nn() {
  static const auto known = [] {
    std::ifstream file{std::string{FLAGMAN_SOURCE_DIR} + "/tests/data/runs/n-nn.run.jsonl"};
    auto run = read_run(file);
    REQUIRE(run);
    return std::move(*run);
  }();
  return known;
}

Rules rules_of(const RecordedRun& run) {
  auto games = read_game_rules(embedded::games_json);
  REQUIRE(games);
  return make_rules(run.policy, std::move(*games));
}

// What a database keeps of one package, and how an append moves it.
class Rows {
 public:
  Rows(const std::string& name, const std::string& body) {
    record.id = 1;
    record.name = name;
    record.body = body;
    record.status = "queued";
    const auto digest = validators::sha256(body);
    record.body_digest.assign(digest.begin(), digest.end());
  }

  ClaimedPackage claim() {
    ClaimedPackage claimed;
    claimed.id = record.id;
    claimed.epoch = ++epoch;
    claimed.head_seq = static_cast<std::int64_t>(record.entries.size());
    claimed.head_hash = head;
    claimed.crashes = crashes;
    claimed.inbox_count = static_cast<std::int64_t>(record.inbox.size());
    return claimed;
  }

  void append(const Change& change) {
    REQUIRE(change.old_seq == static_cast<std::int64_t>(record.entries.size()));
    for (const auto& entry : change.entries) record.entries.push_back(entry.bytes);
    REQUIRE(change.new_seq == static_cast<std::int64_t>(record.entries.size()));
    head = change.new_hash;
    for (const auto& call : change.calls) record.calls.push_back(call);
    for (const auto& key : change.keys) keys.push_back(key);
    for (const auto& item : change.items) items[item.item] = item;
    for (const auto& rebuild : change.rebuilds) {
      rebuilds.push_back(rebuild);
      open_rebuilds[{rebuild.item, rebuild.revision}] = rebuild.brief;
    }
    for (const auto& closed : change.closed_rebuilds) open_rebuilds.erase(closed);
    for (const auto& [id, seq] : change.taken) {
      for (auto& act : record.inbox) act.taken = act.taken || act.id == id;
    }
    if (change.status) record.status = *change.status;
    if (change.status || change.reasons) record.reasons = change.reasons.value_or("");
    leave = change.leave;
    wake_after = change.wake_after;
  }

  void put(InboxRow act) {
    act.id = static_cast<std::int64_t>(record.inbox.size()) + 1;
    record.inbox.push_back(std::move(act));
  }

  [[nodiscard]] std::vector<std::string> kinds() const {
    std::vector<std::string> all;
    for (const auto& entry : record.entries) {
      all.push_back(Json::parse(entry)["kind"].get<std::string>());
    }
    return all;
  }

  // Everything that is wrong with the record, in words; nothing where it is whole.
  [[nodiscard]] std::vector<std::string> verify(const Rules& rules) const {
    std::vector<std::string> faults;
    for (const auto& fault : verify_rows(rules)) faults.push_back(fault.what);
    if (!faults.empty()) return faults;
    std::vector<ItemRow> shown;
    for (const auto& [item, row] : items) shown.push_back(row);
    return check_record(record, shown, rules).faults;
  }

  [[nodiscard]] std::vector<VerifierFault> verify_rows(const Rules& rules) const {
    VerifierRows rows;
    rows.package = record.name;
    rows.body = record.body;
    for (const auto& entry : record.entries) {
      const auto hash = entry_hash(entry);
      rows.journal.push_back({static_cast<std::int64_t>(rows.journal.size()) + 1, entry,
                              std::string{hash.begin(), hash.end()}});
    }
    for (const auto& key : keys) {
      rows.keys.push_back({to_text(key.item), key.revision, key.key, key.salt,
                           std::string{key.commitment.begin(), key.commitment.end()}});
    }
    for (const auto& call : record.calls) {
      rows.calls.push_back({call.step, call.call, std::string{name_of(call.response.status)},
                            call.response.body, call.request});
    }
    for (const auto& act : record.inbox) {
      if (!act.taken) continue;
      if (act.kind == "revision") rows.revisions.push_back({act.item, act.revision, act.body});
      if (act.kind == "review") rows.reviews.push_back({act.item, act.decision, act.who, act.why});
      if (act.kind == "cancel") ++rows.cancels;
    }
    for (const auto& rebuild : rebuilds) {
      rows.rebuilds.push_back({to_text(rebuild.item), rebuild.revision, rebuild.brief});
    }
    rows.head = VerifierRows::Head{static_cast<std::int64_t>(record.entries.size()), head};
    rows.finished = leave == Leave::finish;
    rows.policy = rules.policy_written;
    rows.games = rules.games.written;
    return verify_package(rows, rules.games.kinds);
  }

  PackageRecord record;
  std::string head;
  std::int64_t epoch = 0;
  int crashes = 0;
  Leave leave = Leave::stay;
  std::optional<std::chrono::milliseconds> wake_after;
  std::vector<KeyRow> keys;
  std::vector<RebuildRow> rebuilds;
  std::map<validators::ItemName, ItemRow> items;
  std::map<std::pair<validators::ItemName, int>, std::string> open_rebuilds;
};

const std::vector<std::string> nothing;

constexpr Time noon{std::chrono::sys_days{std::chrono::January / 2 / 2026} + 12h};

// A worker with recorded answers that may be made to forget everything after any change.
class Desk {
 public:
  explicit Desk(const RecordedRun& recorded)
      : run(recorded),
        rules(rules_of(recorded)),
        rows(recorded.packages.at(0).id, recorded.packages.at(0).body) {
    take_up();
  }

  void take_up() {
    const auto claimed = rows.claim();
    live.emplace(
        claimed, rows.record, rules, Writer{"w", claimed.epoch},
        [] { return std::string(32, 's'); }, wait);
    waiting.clear();
    changed = true;
  }

  // One change; false where there is nothing to do under this lease. `choose` takes the place of
  // the order in which answers come.
  bool step(const std::function<std::size_t(std::size_t)>& choose) {
    std::optional<Change> change;
    if (std::exchange(changed, false)) change = live->catch_up(now);
    if (!change) {
      give_out();
      if (waiting.empty()) return false;
      change = answer(choose(waiting.size()));
    }
    rows.append(*change);
    if (rows.leave != Leave::stay) return false;
    give_out();
    return true;
  }

  void give_out() {
    for (auto& ask : live->take_asks()) waiting.push_back(std::move(ask));
  }

  std::optional<Change> answer(std::size_t which) {
    const auto at = waiting.begin() + static_cast<std::ptrdiff_t>(which);
    const auto ask = *at;
    waiting.erase(at);
    RecordedModels models{run};
    const auto response = models.ask(ask.call);
    REQUIRE(response);
    auto change = live->take_answer(ask, *response, now);
    REQUIRE(change);
    return change;
  }

  // Everything that is recorded, to the end. `forgetful`: a new lease for every change.
  void finish(bool forgetful, const std::function<std::size_t(std::size_t)>& choose) {
    for (int leases = 0; leases < 10'000; ++leases) {
      while (step(choose)) {
        if (forgetful) break;
      }
      if (rows.leave == Leave::finish) return;
      deliver();
      if (forgetful || rows.leave == Leave::release) take_up();
    }
    FAIL("the run does not end");
  }

  void deliver() {
    for (const auto& [name, brief] : rows.open_rebuilds) {
      const auto& [item, revision] = name;
      const bool known =
          std::any_of(rows.record.inbox.begin(), rows.record.inbox.end(), [&](const InboxRow& act) {
            return act.item == to_text(item) && act.revision == revision;
          });
      if (known) continue;
      const auto found = run.rebuilds.find(RevisionName{rows.record.name, item, revision});
      if (found == run.rebuilds.end()) continue;
      InboxRow act;
      act.kind = "revision";
      act.item = to_text(item);
      act.revision = revision;
      act.body = found->second;
      rows.put(std::move(act));
    }
  }

  const RecordedRun& run;
  Rules rules;
  Rows rows;
  std::chrono::milliseconds wait = 24h;
  Time now = noon;
  std::optional<PackageRun> live;
  std::vector<Ask> waiting;
  bool changed = true;
};

constexpr auto first = [](std::size_t) -> std::size_t { return 0; };

// The decisions as lines, by item.
std::map<std::string, std::string> decisions(const arbiter::RoundState& state) {
  std::map<std::string, std::string> lines;
  for (const auto& row : item_rows(state)) {
    lines[to_text(row.item)] = std::to_string(row.revision) + " " + row.outcome + " " + row.route +
                               " " + row.reasons + " " + row.written;
  }
  return lines;
}

std::map<std::string, std::string> decisions(const Rows& rows) {
  std::map<std::string, std::string> lines;
  for (const auto& [item, row] : rows.items) {
    lines[to_text(item)] = std::to_string(row.revision) + " " + row.outcome + " " + row.route +
                           " " + row.reasons + " " + row.written;
  }
  return lines;
}

std::map<std::string, std::string> replayed_decisions(const RecordedRun& run) {
  RecordedModels models{run};
  return decisions(replay_package(run, run.packages.at(0), rules_of(run).games, models).state);
}

std::vector<std::string> sorted(std::vector<std::string> texts) {
  std::sort(texts.begin(), texts.end());
  return texts;
}

std::map<std::pair<std::string, int>, int> count_asks(const Rows& rows) {
  std::map<std::pair<std::string, int>, int> counts;
  for (const auto& bytes : rows.record.entries) {
    const auto entry = Json::parse(bytes);
    if (entry["kind"] != "answered") continue;
    ++counts[{entry["data"]["step"].get<std::string>(), entry["data"]["call"].get<int>()}];
  }
  return counts;
}

}  // namespace

TEST_CASE("a package under one lease is decided as its replay is, and its record is whole",
          "[worker]") {
  Desk desk{n_nn()};
  desk.finish(false, first);
  const auto got = decisions(desk.rows);
  REQUIRE(got.size() == 98);
  CHECK(got == replayed_decisions(n_nn()));
  CHECK(desk.rows.verify(desk.rules) == nothing);
  CHECK(desk.rows.record.status == "rejected");
  CHECK(desk.rows.open_rebuilds.empty());
}

TEST_CASE("a lease that begins after any change goes on where the record ends", "[worker]") {
  Desk whole{n_nn()};
  whole.finish(false, first);
  Desk desk{n_nn()};
  desk.finish(true, first);
  CHECK(desk.rows.epoch > 50);
  CHECK(decisions(desk.rows) == decisions(whole.rows));
  // The same facts, each once, though answers may have come in another order.
  CHECK(sorted(desk.rows.kinds()) == sorted(whole.rows.kinds()));
  CHECK(desk.rows.verify(desk.rules) == nothing);
  for (const auto& [call, count] : count_asks(desk.rows)) {
    CAPTURE(call.first, call.second);
    CHECK(count == 1);
  }
}

TEST_CASE("what is folded out of a record is the state that its worker had", "[worker]") {
  Desk desk{n_nn()};
  desk.finish(false, first);
  CHECK(decisions(fold_record(desk.rows.record, desk.rules)) == decisions(desk.live->state()));
}

TEST_CASE("decisions do not depend on the order of answers nor on where leases begin", "[worker]") {
  const auto expected = replayed_decisions(n_nn());
  CHECK(rc::check("any order, any lease", [&] {
    std::mt19937 dice{*rc::gen::arbitrary<std::uint32_t>()};
    Desk desk{n_nn()};
    // Seldom a lease a change: that costs as much as twenty runs.
    desk.finish(dice() % 50 == 0, [&](std::size_t count) { return dice() % count; });
    RC_ASSERT(decisions(desk.rows) == expected);
    RC_ASSERT(desk.rows.verify(desk.rules) == nothing);
  }));
}

TEST_CASE("a cancelled package asks nothing more and closes its rebuilds", "[worker]") {
  Desk desk{n_nn()};
  while (desk.step(first)) {
  }
  REQUIRE(desk.rows.leave == Leave::release);
  REQUIRE_FALSE(desk.rows.open_rebuilds.empty());
  InboxRow act;
  act.kind = "cancel";
  desk.rows.put(act);
  desk.take_up();
  CHECK_FALSE(desk.step(first));
  CHECK(desk.rows.record.status == "cancelled");
  CHECK(desk.rows.leave == Leave::finish);
  CHECK(desk.rows.open_rebuilds.empty());
  CHECK(desk.rows.verify(desk.rules) == nothing);
}

TEST_CASE("a cancellation in the middle of answers overtakes those that come later", "[worker]") {
  Desk desk{n_nn()};
  REQUIRE(desk.step(first));
  REQUIRE(desk.step(first));
  const auto ask = desk.waiting.front();
  InboxRow act;
  act.kind = "cancel";
  desk.rows.put(act);
  desk.live->see_inbox(desk.rows.record.inbox, 1);
  const auto change = desk.live->catch_up(noon);
  REQUIRE(change);
  CHECK(change->leave == Leave::finish);
  CHECK(change->seen_inbox == 1);
  CHECK_FALSE(desk.live->take_answer(ask, {arbiter::ResponseStatus::ok, "{}"}, noon));
}

TEST_CASE("a revision that does not come in time is left to a person", "[worker]") {
  Desk desk{n_nn()};
  desk.wait = 1h;
  desk.take_up();
  while (desk.step(first)) {
  }
  REQUIRE(desk.rows.leave == Leave::release);
  CHECK(desk.rows.wake_after == std::chrono::milliseconds{1h});
  const auto open = desk.rows.open_rebuilds.size();
  REQUIRE(open == 8);

  desk.now = noon + 59min;
  desk.take_up();
  CHECK_FALSE(desk.step(first));
  CHECK(desk.rows.wake_after == std::chrono::milliseconds{1min});
  CHECK(desk.rows.open_rebuilds.size() == open);

  desk.now = noon + 60min;
  desk.take_up();
  desk.rows.leave = Leave::stay;
  CHECK_FALSE(desk.step(first));
  CHECK(desk.rows.record.status == "manual_review");
  CHECK(desk.rows.open_rebuilds.empty());
  CHECK(desk.rows.verify(desk.rules) == nothing);
  const auto& item = desk.rows.items.at({"sort", 2});
  CHECK(item.outcome == "manual_review");
  CHECK(item.reasons == "rebuild_overdue,arbiter_disagrees,solvers_disagree");
  // And so it is folded again.
  CHECK(decisions(fold_record(desk.rows.record, desk.rules)) == decisions(desk.rows));
}

TEST_CASE("a person's decision is on record with who and why, and touches no key", "[worker]") {
  struct Row {
    const char* act;
    const char* outcome;
    const char* status;
  };
  const auto row = GENERATE(values<Row>({{"accept", "accepted", "rejected"},
                                         {"reject", "rejected", "rejected"},
                                         {"rebuild", "flagged", "awaiting_rebuild"}}));
  CAPTURE(row.act);
  Desk desk{n_nn()};
  desk.finish(false, first);
  const auto keys_before = desk.rows.keys.size();
  REQUIRE(desk.rows.items.at({"memory", 3}).outcome == "manual_review");
  InboxRow act;
  act.kind = "review";
  act.item = "memory/3";
  act.revision = 1;
  act.who = "an operator";
  act.why = "looked at it";
  act.decision = row.act;
  desk.rows.put(act);
  desk.rows.leave = Leave::stay;
  desk.take_up();
  CHECK_FALSE(desk.step(first));
  const auto& item = desk.rows.items.at({"memory", 3});
  CHECK(item.outcome == row.outcome);
  CHECK(item.route == "operator");
  CHECK(desk.rows.record.status == row.status);
  CHECK(desk.rows.keys.size() == keys_before);
  CHECK(desk.rows.verify(desk.rules) == nothing);
  const auto kinds = desk.rows.kinds();
  const auto decided = std::find(kinds.begin(), kinds.end(), "operator_decided");
  REQUIRE(decided != kinds.end());
  const auto entry =
      Json::parse(desk.rows.record.entries.at(static_cast<std::size_t>(decided - kinds.begin())));
  CHECK(entry["data"] == Json::parse(R"({"act": ")" + std::string{row.act} +
                                     R"(", "item": "memory/3", "who": "an operator",
                                         "why": "looked at it"})"));
  CHECK(decisions(fold_record(desk.rows.record, desk.rules)) == decisions(desk.rows));
}

TEST_CASE("a package that its workers died of is set aside unread, and may be cancelled then",
          "[worker]") {
  Desk desk{n_nn()};
  const bool begun = GENERATE(false, true);
  CAPTURE(begun);
  if (begun) REQUIRE(desk.step(first));
  desk.rows.crashes = 4;
  auto claimed = desk.rows.claim();
  const Writer writer{"w", claimed.epoch};
  CHECK_FALSE(settle_unread(claimed, desk.rows.record, writer, noon));
  desk.rows.crashes = 5;
  claimed = desk.rows.claim();
  const auto aside = settle_unread(claimed, desk.rows.record, writer, noon);
  REQUIRE(aside);
  desk.rows.append(*aside);
  CHECK(desk.rows.record.status == "manual_review");
  CHECK(desk.rows.leave == Leave::finish);
  CHECK(desk.rows.verify(desk.rules) == nothing);

  desk.rows.crashes = 0;
  InboxRow act;
  act.kind = "cancel";
  desk.rows.put(act);
  const auto cancelled = settle_unread(desk.rows.claim(), desk.rows.record, writer, noon);
  REQUIRE(cancelled);
  desk.rows.append(*cancelled);
  CHECK(desk.rows.record.status == "cancelled");
  CHECK(desk.rows.verify(desk.rules) == nothing);
}

TEST_CASE("a package that was set aside goes on once it does not kill its workers", "[worker]") {
  Desk desk{n_nn()};
  const bool begun = GENERATE(false, true);
  CAPTURE(begun);
  if (begun) REQUIRE(desk.step(first));
  desk.rows.crashes = 5;
  const auto aside = settle_unread(desk.rows.claim(), desk.rows.record, {"w", 2}, noon);
  REQUIRE(aside);
  desk.rows.append(*aside);
  desk.rows.crashes = 0;
  desk.rows.leave = Leave::stay;
  desk.take_up();
  desk.finish(false, first);
  CHECK(decisions(desk.rows) == replayed_decisions(n_nn()));
  CHECK(desk.rows.verify(desk.rules) == nothing);
}

TEST_CASE("a record that does not fit together is not gone on from", "[worker]") {
  Desk desk{n_nn()};
  desk.finish(false, first);
  auto record = desk.rows.record;
  SECTION("an answer's call is gone") { record.calls.erase(record.calls.begin()); }
  SECTION("a delivered revision is gone") {
    REQUIRE_FALSE(record.inbox.empty());
    record.inbox.erase(record.inbox.begin());
  }
  CHECK_THROWS_AS(fold_record(std::move(record), desk.rules), std::runtime_error);
}

TEST_CASE("what does not follow from the replies is named, however the chain was forged",
          "[worker]") {
  Desk desk{n_nn()};
  desk.finish(false, first);
  auto record = desk.rows.record;
  std::vector<ItemRow> shown;
  for (const auto& [item, row] : desk.rows.items) shown.push_back(row);
  REQUIRE(check_record(record, shown, desk.rules).faults == nothing);
  const auto entry_with = [&](const std::string& kind, const std::string& text) -> std::string& {
    for (auto& entry : record.entries) {
      if (entry.find("\"kind\":\"" + kind + "\"") != std::string::npos &&
          entry.find(text) != std::string::npos) {
        return entry;
      }
    }
    throw std::runtime_error{"no such entry"};
  };
  const auto change = [](std::string& text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
  };
  struct Row {
    const char* why;
    std::function<void()> spoil;
    const char* what;
  };
  const std::vector<Row> rows{
      {"the package is accepted after all",
       [&] {
         change(entry_with("package_decided", ""), "\"rejected\"", "\"accepted\"");
         record.status = "accepted";
       },
       "package_decided"},
      {"an item is accepted after all",
       [&] {
         change(entry_with("item_decided", "pairs/2\",\"outcome\":\"rejected"), "\"rejected\"",
                "\"accepted\"");
       },
       "item_decided of pairs/2"},
      {"a ballot is another",
       [&] { change(entry_with("ballots", "solve/strict/spotlight@1"), "\"skip\"", "\"catch\""); },
       "ballots of solve/strict/spotlight@1"},
      {"a verdict is another",
       [&] { change(entry_with("verdict", "sort/2"), "flag_disagrees", "uphold"); },
       "verdict of sort/2"},
      {"a decision is gone",
       [&] { std::erase(record.entries, std::string{entry_with("item_decided", "wheel/3")}); },
       "does not follow"},
      {"a decision stands twice",
       [&] { record.entries.push_back(entry_with("item_decided", "wheel/3")); }, "wheel/3"},
      {"the status is another", [&] { record.status = "accepted"; }, "the status says accepted"},
      {"the status goes on", [&] { record.status = "running"; }, "the status says running"},
      {"reasons from nowhere", [&] { record.reasons = "bad_json"; }, "reasons"},
      {"another digest", [&] { record.body_digest[0] ^= 1; }, "digest"},
      {"another outcome is shown", [&] { shown[0].outcome = "rejected"; }, "does not follow"},
      {"another text is shown", [&] { shown[0].written += " "; }, "does not follow"},
      {"an item is not shown", [&] { shown.pop_back(); }, "does not follow"},
      {"an item that is none is shown", [&] { shown[0].item.ordinal = 99; }, "no item"},
  };
  const auto whole = record;
  const auto shown_whole = shown;
  for (const auto& row : rows) {
    CAPTURE(row.why);
    record = whole;
    shown = shown_whole;
    row.spoil();
    const auto faults = check_record(record, shown, desk.rules).faults;
    REQUIRE_FALSE(faults.empty());
    std::string all;
    for (const auto& fault : faults) all += fault + "\n";
    CHECK_THAT(all, Catch::Matchers::Contains(row.what));
  }
}

TEST_CASE("what another version decided is not derived anew", "[worker]") {
  Desk desk{n_nn()};
  desk.finish(false, first);
  auto record = desk.rows.record;
  auto& opening = record.entries.front();
  const std::string here = std::string{"\"flagman\":\""} + version + "\"";
  const auto at = opening.find(here);
  REQUIRE(at != std::string::npos);
  opening.replace(at, here.size(), "\"flagman\":\"0.0.1\"");
  record.status = "accepted";
  const auto check = check_record(record, {}, desk.rules);
  CHECK(check.judged_by == "0.0.1");
  CHECK(check.faults == nothing);
}
