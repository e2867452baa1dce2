#include "daemon/verify/verifier.h"

#include <rapidcheck.h>
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "daemon/game_rules.h"
#include "daemon/journal/canonical.h"
#include "daemon/journal/entry.h"
#include "daemon/recorded_models.h"
#include "daemon/recorded_run.h"
#include "daemon/replay.h"
#include "daemon/verify/author_keys.h"
#include "daemon/verify/canonical_form.h"
#include "validators/digest.h"
#include "validators/json.h"

using namespace flagman;
using namespace flagman::daemon;
using Catch::Matchers::Contains;
using flagman::validators::Json;

namespace {

using Rows = VerifierRows;

std::string file_text(const std::string& path) {
  std::ifstream file{std::string{FLAGMAN_SOURCE_DIR} + "/" + path, std::ios::binary};
  REQUIRE(file.is_open());
  return {std::istreambuf_iterator<char>{file}, {}};
}

const GameRules& rules() {
  static const auto known = [] {
    auto parsed = read_game_rules(file_text("config/games.json"));
    REQUIRE(parsed);
    return std::move(*parsed);
  }();
  return known;
}

// Recorded answers, and what was asked for them.
class NotingModels final : public ModelPort {
 public:
  explicit NotingModels(const RecordedRun& run) : recorded_(run) {}
  std::optional<arbiter::ModelResponse> ask(const ModelCall& call) override {
    questions[{call.step, call.call}] = call.question;
    return recorded_.ask(call);
  }
  std::map<std::pair<std::string, int>, std::string> questions;

 private:
  RecordedModels recorded_;
};

std::string raw(const validators::Digest& digest) { return {digest.begin(), digest.end()}; }

// As the replay salts them.
std::string salt_of(const std::string& package, const std::string& item, int revision) {
  return raw(validators::sha256("flagman.replay-salt/1\n" + package + "\n" + item + "@" +
                                std::to_string(revision)));
}

Rows::Key key_row(const std::string& package, const std::string& item, int revision,
                  const std::string& key) {
  Rows::Key row{
      item, revision, canonical_json(Json::parse(key)), salt_of(package, item, revision), {}};
  row.commitment = raw(key_commitment(row.salt, row.key));
  return row;
}

Json data_of(const Rows::Journal& row) { return Json::parse(row.entry)["data"]; }
std::string kind_of(const Rows::Journal& row) {
  return Json::parse(row.entry)["kind"].get<std::string>();
}

// The rows that a database would have of a replayed package.
Rows rows_of(const RecordedRun& run) {
  const auto& package = run.packages.at(0);
  NotingModels models{run};
  Rows rows;
  const auto replayed = replay_package(
      run, package, rules(), models, [&](const Happening& happening, const arbiter::RoundState&) {
        const auto* command = std::get_if<arbiter::Command>(&happening);
        const auto* request =
            command == nullptr ? nullptr : std::get_if<arbiter::RequestRebuild>(command);
        if (request == nullptr) return;
        rows.rebuilds.push_back(
            {to_text(request->brief.item), request->brief.revision, to_json(request->brief)});
      });
  REQUIRE(replayed.missing.empty());
  rows.package = package.id;
  rows.body = package.body;
  for (const auto& entry : replayed.journal.entries()) {
    rows.journal.push_back({entry.seq, entry.bytes, raw(entry.hash)});
    const auto kind = kind_of(rows.journal.back());
    const auto data = data_of(rows.journal.back());
    if (kind == "answered") {
      const auto step = data["step"].get<std::string>();
      const auto call = data["call"].get<int>();
      const auto& answer = run.calls.at({package.id, step, call});
      rows.calls.push_back({step, call, data["status"].get<std::string>(), answer.body,
                            models.questions.at({step, call})});
    } else if (kind == "revision_taken") {
      const auto item = data["item"].get<std::string>();
      const auto revision = data["revision"].get<int>();
      rows.revisions.push_back(
          {item, revision,
           run.rebuilds.at({package.id, *validators::parse_item_name(item), revision})});
    }
  }
  for (const auto& game : replayed.state.games) {
    for (std::size_t i = 0; i < game.items.size(); ++i) {
      const auto item = game.kind->name + "/" + std::to_string(i);
      const auto& progress = game.items[i];
      for (std::size_t n = 0; n < progress.keys_written.size(); ++n) {
        rows.keys.push_back(
            key_row(rows.package, item, progress.history[n].revision, progress.keys_written[n]));
      }
    }
  }
  rows.head = {{static_cast<std::int64_t>(rows.journal.size()), rows.journal.back().hash}};
  rows.finished = true;
  rows.policy = to_json(run.policy);
  rows.games = rules().written;
  return rows;
}

const Rows& whole(const std::string& name) {
  static std::map<std::string, Rows> known;
  const auto found = known.find(name);
  if (found != known.end()) return found->second;
  std::ifstream file{std::string{FLAGMAN_SOURCE_DIR} + "/tests/data/runs/" + name,
                     std::ios::binary};
  const auto run = read_run(file);
  REQUIRE(run);
  return known[name] = rows_of(*run);
}

std::vector<VerifierFault> verify(const Rows& rows) { return verify_package(rows, rules().kinds); }

std::string in_words(const std::vector<VerifierFault>& faults) {
  std::string text;
  for (const auto& fault : faults) {
    text += (fault.seq ? "entry " + std::to_string(*fault.seq) : "no entry") + ": " + fault.what;
    text += '\n';
  }
  return text;
}

// ---- spoiling ----

Rows::Journal& entry_of(Rows& rows, const std::string& kind, const std::string& having = "") {
  const auto found =
      std::find_if(rows.journal.begin(), rows.journal.end(), [&](const Rows::Journal& row) {
        return kind_of(row) == kind && row.entry.find(having) != std::string::npos;
      });
  REQUIRE(found != rows.journal.end());
  return *found;
}

Rows::Key& key_of(Rows& rows, const std::string& item, int revision) {
  const auto found = std::find_if(rows.keys.begin(), rows.keys.end(), [&](const Rows::Key& key) {
    return key.item == item && key.revision == revision;
  });
  REQUIRE(found != rows.keys.end());
  return *found;
}

void swap_text(std::string& bytes, const std::string& from, const std::string& to) {
  const auto at = bytes.find(from);
  REQUIRE(at != std::string::npos);
  bytes.replace(at, from.size(), to);
}

// A forger with the database in hand writes the whole chain anew, numbers, links, hashes and head.
void forge_chain(Rows& rows) {
  auto prev = chain_root(rows.package, rows.body);
  std::int64_t seq = 0;
  for (auto& row : rows.journal) {
    auto entry = Json::parse(row.entry);
    entry["seq"] = row.seq = ++seq;
    entry["prev"] = validators::hex(prev);
    row.entry = canonical_json(entry);
    prev = entry_hash(row.entry);
    row.hash = raw(prev);
  }
  rows.head = {{seq, rows.journal.back().hash}};
}

void set_data(Rows::Journal& row, const std::string& name, const Json& value) {
  auto entry = Json::parse(row.entry);
  entry["data"][name] = value;
  row.entry = canonical_json(entry);
}

void set_field(Rows::Journal& row, const std::string& name, const Json& value) {
  auto entry = Json::parse(row.entry);
  entry[name] = value;
  row.entry = canonical_json(entry);
}

void hash_anew(Rows::Journal& row) { row.hash = raw(entry_hash(row.entry)); }

void put_after(Rows& rows, std::size_t place, const std::string& kind, const Json& data) {
  auto row = rows.journal.at(place);
  set_field(row, "kind", kind);
  set_field(row, "data", data);
  rows.journal.insert(rows.journal.begin() + static_cast<std::ptrdiff_t>(place) + 1, row);
  forge_chain(rows);
}

void put_last(Rows& rows, const std::string& kind, const Json& data) {
  put_after(rows, rows.journal.size() - 1, kind, data);
}

using Seq = std::optional<std::int64_t>;

struct Spoiling {
  const char* why;
  std::function<Seq(Rows&)> spoil;  // gives the entry that must be named, if one must
  const char* what;
};

void check_spoiling(const Spoiling& spoiling) {
  auto rows = whole("n-nn.run.jsonl");
  const auto seq = spoiling.spoil(rows);
  const auto faults = verify(rows);
  INFO(spoiling.why << '\n' << in_words(faults).substr(0, 2000));
  REQUIRE_FALSE(faults.empty());
  CHECK(faults.front().seq == seq);
  const bool named = faults.front().what.find(spoiling.what) != std::string::npos;
  CHECK(named);
}

}  // namespace

TEST_CASE("the record of a replayed package is whole", "[verifier]") {
  for (const auto* name : {"n-nn.run.jsonl", "accepted.run.jsonl"}) {
    const auto& rows = whole(name);
    CHECK(in_words(verify(rows)) == "");
    REQUIRE(rows.keys.size() > 8);
    REQUIRE_FALSE(rows.revisions.empty());
  }
}

TEST_CASE("a record that is not finished is whole as far as it goes", "[verifier]") {
  auto rows = whole("accepted.run.jsonl");
  rows.finished = false;
  SECTION("its last entry is not there yet") {
    rows.journal.pop_back();
    rows.head = {{static_cast<std::int64_t>(rows.journal.size()), rows.journal.back().hash}};
    CHECK(in_words(verify(rows)) == "");
  }
  SECTION("it was submitted and nobody has claimed it") {
    const Rows fresh{rows.package, rows.body, {}, {}, {}, {}, Rows::Head{}, false};
    CHECK(in_words(verify(fresh)) == "");
  }
}

TEST_CASE("a document that is no package has no keys", "[verifier]") {
  Rows rows;
  rows.package = "7";
  rows.body = "{";
  rows.finished = true;
  Chain chain{rows.package, chain_root(rows.package, rows.body)};
  const auto append = [&](const std::string& kind, const Json& data) {
    const auto entry = chain.next(kind, journal_data(data), "2026-01-02T03:04:05Z", {"w", 1});
    rows.journal.push_back({entry.seq, entry.bytes, raw(entry.hash)});
  };
  append("package_received",
         {{"body_sha256", validators::hex(validators::sha256("{"))}, {"bytes", 1}});
  append("package_decided", {{"outcome", "rejected"}, {"reasons", {"bad_json"}}});
  rows.head = {{2, rows.journal.back().hash}};
  CHECK(in_words(verify(rows)) == "");
  rows.keys.push_back(key_row("7", "sort/0", 1, "1"));
  CHECK(verify(rows).size() == 2);
}

TEST_CASE("kinds of entry that are unknown here are part of the chain and no more", "[verifier]") {
  auto rows = whole("accepted.run.jsonl");
  put_after(rows, 1, "weather_noted", {{"clouds", 3}});
  put_last(rows, "delivery_refused", {{"item", "sort/0"}, {"revision", 7}});
  CHECK(in_words(verify(rows)) == "");
}

TEST_CASE("a person's act and its entry belong together", "[verifier]") {
  auto rows = whole("accepted.run.jsonl");
  const Rows::Review review{"sort/0", "accept", "m", "looked at it"};
  const Json data{{"item", "sort/0"}, {"act", "accept"}, {"who", "m"}, {"why", "looked at it"}};
  SECTION("both") {
    put_last(rows, "operator_decided", data);
    rows.reviews.push_back(review);
    CHECK(in_words(verify(rows)) == "");
    put_last(rows, "operator_decided", data);
    CHECK_THAT(in_words(verify(rows)), Contains("as no act in the inbox does"));
  }
  SECTION("an act alone") {
    rows.reviews.push_back(review);
    CHECK_THAT(in_words(verify(rows)), Contains("is a row without an entry"));
  }
  SECTION("an entry that lacks why") {
    auto less = data;
    less.erase("why");
    put_last(rows, "operator_decided", less);
    CHECK_THAT(in_words(verify(rows)), Contains("lacks data of its kind"));
  }
  SECTION("another word of the act") {
    put_last(rows, "operator_decided", data);
    rows.reviews.push_back(review);
    const auto text =
        GENERATE(&Rows::Review::item, &Rows::Review::act, &Rows::Review::who, &Rows::Review::why);
    rows.reviews[0].*text += "x";
    CHECK(verify(rows).size() == 2);
  }
  SECTION("a cancellation alone, and one too many") {
    rows.cancels = 1;
    CHECK_THAT(in_words(verify(rows)), Contains("is a row without an entry"));
    put_last(rows, "cancel_asked", Json::object());
    CHECK(in_words(verify(rows)) == "");
    put_last(rows, "cancel_asked", Json::object());
    CHECK_THAT(in_words(verify(rows)), Contains("cancels the package as no act"));
  }
}

TEST_CASE("a package that was set aside unread has no opening", "[verifier]") {
  Rows rows;
  rows.package = "p";
  rows.body = "{}";
  Chain chain{"p", chain_root("p", "{}")};
  for (const auto* kind : {"package_set_aside", "package_decided"}) {
    const auto entry = chain.next(kind, "{}", "2026-01-02T03:04:05.678Z", {"w", 1});
    rows.journal.push_back({entry.seq, entry.bytes, raw(entry.hash)});
  }
  rows.head = {{2, rows.journal.back().hash}};
  rows.finished = true;
  CHECK(in_words(verify(rows)) == "");
  set_field(rows.journal[0], "kind", "package_put_aside");
  forge_chain(rows);
  CHECK_THAT(in_words(verify(rows)), Contains("should be package_received"));
}

TEST_CASE("entries alone are held against one another", "[verifier]") {
  const auto& rows = whole("accepted.run.jsonl");
  std::vector<std::string> entries;
  for (const auto& row : rows.journal) entries.push_back(row.entry);
  const auto reading = verify_entries(entries);
  CHECK(reading.faults.empty());
  CHECK(reading.package == rows.package);
  CHECK(reading.head == validators::hex(entry_hash(entries.back())));
  CHECK(verify_entries({}).faults.empty());
  const auto first_fault = [](const std::vector<std::string>& lines) {
    const auto spoiled = verify_entries(lines);
    REQUIRE_FALSE(spoiled.faults.empty());
    return *spoiled.faults.front().seq;
  };
  auto changed = entries;
  swap_text(changed[6], "\"epoch\":1", "\"epoch\":2");
  CHECK(first_fault(changed) == 8);  // whose link no longer fits
  auto fewer = entries;
  fewer.erase(fewer.begin() + 6);
  CHECK(first_fault(fewer) == 7);
  auto swapped = entries;
  std::swap(swapped[6], swapped[7]);
  CHECK(first_fault(swapped) == 7);
  CHECK(first_fault({"not JSON"}) == 1);
}

TEST_CASE("a chain that was touched is named at its first broken entry", "[verifier]") {
  check_spoiling(GENERATE(values<Spoiling>({
      {"one byte changed",
       [](Rows& r) -> Seq {
         swap_text(r.journal[200].entry, "2025", "2024");
         return 201;
       },
       "does not have its hash"},
      {"one byte changed and hashed anew",
       [](Rows& r) -> Seq {
         swap_text(r.journal[200].entry, "2025", "2024");
         hash_anew(r.journal[200]);
         return 202;
       },
       "does not follow the entry before it"},
      {"a hash changed",
       [](Rows& r) -> Seq {
         r.journal[9].hash[31] ^= '\1';
         return 10;
       },
       "does not have its hash"},
      {"a hash cut short",
       [](Rows& r) -> Seq {
         r.journal[9].hash.pop_back();
         return 10;
       },
       "does not have its hash"},
      {"the first dropped",
       [](Rows& r) -> Seq {
         r.journal.erase(r.journal.begin());
         return 1;
       },
       "is missing"},
      {"one dropped in the middle",
       [](Rows& r) -> Seq {
         r.journal.erase(r.journal.begin() + 150);
         return 151;
       },
       "is missing, the next one is 152"},
      {"one dropped and the later ones numbered down",
       [](Rows& r) -> Seq {
         r.journal.erase(r.journal.begin() + 150);
         for (std::size_t i = 150; i < r.journal.size(); ++i) --r.journal[i].seq;
         return 151;
       },
       "another number than its place"},
      {"the last dropped, head as it was",
       [](Rows& r) -> Seq {
         r.journal.pop_back();
         return static_cast<std::int64_t>(r.journal.size()) + 1;
       },
       "is missing: the head lies beyond it"},
      {"the last dropped, head moved back",
       [](Rows& r) -> Seq {
         r.journal.pop_back();
         forge_chain(r);
         return static_cast<std::int64_t>(r.journal.size()) + 1;
       },
       "ends in package_decided"},
      {"all dropped",
       [](Rows& r) -> Seq {
         r.journal.clear();
         return 1;
       },
       "is missing: the head lies beyond it"},
      {"an entry put behind the head",
       [](Rows& r) -> Seq {
         const auto head = r.head;
         put_last(r, "note", Json::object());
         r.head = head;
         return static_cast<std::int64_t>(r.journal.size());
       },
       "stands behind the head"},
      {"the last one exchanged, hashed anew",
       [](Rows& r) -> Seq {
         set_data(r.journal.back(), "outcome", "manual_review");
         hash_anew(r.journal.back());
         return static_cast<std::int64_t>(r.journal.size());
       },
       "is not the head"},
      {"one doubled",
       [](Rows& r) -> Seq {
         r.journal.insert(r.journal.begin() + 20, r.journal[20]);
         return 21;
       },
       "stands twice or out of order"},
      {"two exchanged their contents",
       [](Rows& r) -> Seq {
         std::swap(r.journal[30].entry, r.journal[31].entry);
         std::swap(r.journal[30].hash, r.journal[31].hash);
         return 31;
       },
       "another number than its place"},
      {"a number that no entry can have",
       [](Rows& r) -> Seq {
         r.journal.back().seq = 0;
         return 0;
       },
       "out of order"},
      {"white space added, hashed anew",
       [](Rows& r) -> Seq {
         r.journal[5].entry += ' ';
         hash_anew(r.journal[5]);
         return 6;
       },
       "is not in canonical form: something stands behind the value"},
      {"names not sorted, hashed anew",
       [](Rows& r) -> Seq {
         swap_text(r.journal[5].entry, R"("schema":1,"seq":6)", R"("seq":6,"schema":1)");
         hash_anew(r.journal[5]);
         return 6;
       },
       "the names are not sorted"},
      {"not JSON, hashed anew",
       [](Rows& r) -> Seq {
         r.journal[5].entry = "\xFF";
         hash_anew(r.journal[5]);
         return 6;
       },
       "is not in canonical form"},
      {"JSON but no entry",
       [](Rows& r) -> Seq {
         r.journal[5].entry = "[]";
         hash_anew(r.journal[5]);
         return 6;
       },
       "the fields of an entry"},
      {"a field too many",
       [](Rows& r) -> Seq {
         set_field(r.journal[5], "zeal", 1);
         forge_chain(r);
         return 6;
       },
       "the fields of an entry"},
      {"of another schema",
       [](Rows& r) -> Seq {
         set_field(r.journal[5], "schema", 2);
         forge_chain(r);
         return 6;
       },
       "has a schema that is not 1"},
      {"of another package",
       [](Rows& r) -> Seq {
         set_field(r.journal[5], "package", "other");
         forge_chain(r);
         return 6;
       },
       "is of another package"},
      {"written under an older lease",
       [](Rows& r) -> Seq {
         set_field(r.journal[5], "epoch", 2);
         forge_chain(r);
         return 7;
       },
       "has an epoch below"},
      {"the chain belongs to another id",
       [](Rows& r) -> Seq {
         r.package = "other";
         return 1;
       },
       "is of another package"},
      {"the body changed",
       [](Rows& r) -> Seq {
         r.body += '\n';
         return 1;
       },
       "does not begin with this package and this body"},
  })));
}

TEST_CASE("a row that no longer fits its entry is named, however the chain was mended",
          "[verifier]") {
  check_spoiling(GENERATE(values<Spoiling>({
      {"the body changed and the chain forged",
       [](Rows& r) -> Seq {
         r.body += '\n';
         forge_chain(r);
         return 1;
       },
       "has another digest or size than the body"},
      {"the size of the body changed",
       [](Rows& r) -> Seq {
         set_data(r.journal[0], "bytes", 1);
         forge_chain(r);
         return 1;
       },
       "has another digest or size than the body"},
      {"never received",
       [](Rows& r) -> Seq {
         set_field(r.journal[0], "kind", "note");
         forge_chain(r);
         return 1;
       },
       "should be package_received"},
      {"received twice",
       [](Rows& r) -> Seq {
         r.journal.insert(r.journal.begin() + 1, r.journal[0]);
         forge_chain(r);
         return 2;
       },
       "receives the package a second time"},
      {"a call's body changed",
       [](Rows& r) -> Seq {
         r.calls[3].body += ' ';
         return entry_of(r, "answered", R"("step":")" + r.calls[3].step).seq;
       },
       "has another digest than the body of call"},
      {"a call's status changed",
       [](Rows& r) -> Seq {
         r.calls[3].status = "refused";
         return entry_of(r, "answered", R"("step":")" + r.calls[3].step).seq;
       },
       "has another status than call"},
      {"a call's question changed",
       [](Rows& r) -> Seq {
         *r.calls[3].request += ' ';
         return entry_of(r, "asked", R"("step":")" + r.calls[3].step).seq;
       },
       "has another digest than the question of call"},
      {"judged by other games",
       [](Rows& r) -> Seq {
         *r.games += ' ';
         return 1;
       },
       "has another games_sha256 than the setting"},
      {"judged by another policy",
       [](Rows& r) -> Seq {
         *r.policy += ' ';
         return 1;
       },
       "has another policy_sha256 than the setting"},
      {"asked a second time",
       [](Rows& r) -> Seq {
         const auto& asked = entry_of(r, "asked");
         const auto at = static_cast<std::size_t>(asked.seq);
         put_after(r, at - 1, "asked", data_of(asked));
         return static_cast<std::int64_t>(at) + 1;
       },
       "a second time"},
      {"a call missing",
       [](Rows& r) -> Seq {
         const auto seq = entry_of(r, "answered", R"("step":")" + r.calls[3].step).seq;
         r.calls.erase(r.calls.begin() + 3);
         return seq;
       },
       "has no row: call 1 of"},
      {"a call twice",
       [](Rows& r) -> Seq {
         r.calls.push_back(r.calls[3]);
         return entry_of(r, "answered", R"("step":")" + r.calls[3].step).seq;
       },
       "has two rows: call 1 of"},
      {"a call that nothing speaks of",
       [](Rows& r) -> Seq {
         r.calls.push_back({"solve/\xFF\n/sort@1", 4, "ok", ""});
         return std::nullopt;
       },
       R"(call 4 of "solve/\ufffd\n/sort@1" is a row without an entry)"},
      {"answered a second time",
       [](Rows& r) -> Seq {
         const auto& answered = entry_of(r, "answered");
         const auto at = static_cast<std::size_t>(answered.seq);
         put_after(r, at - 1, "answered", data_of(answered));
         return static_cast<std::int64_t>(at) + 1;
       },
       "a second time"},
      {"answered and never asked",
       [](Rows& r) -> Seq {
         const auto step = data_of(entry_of(r, "answered"))["step"].get<std::string>();
         auto& asked = entry_of(r, "asked", R"("step":")" + step);
         set_field(asked, "kind", "note");
         forge_chain(r);
         return entry_of(r, "answered").seq;
       },
       "never asked"},
      {"data of a kind missing",
       [](Rows& r) -> Seq {
         auto& answered = entry_of(r, "answered");
         set_data(answered, "step", 1);
         const auto seq = answered.seq;
         forge_chain(r);
         return seq;
       },
       "lacks data of its kind"},
      {"an entry of the way behind the package's end",
       [](Rows& r) -> Seq {
         put_last(r, "ask_failed", Json::object());
         return static_cast<std::int64_t>(r.journal.size()) + 1;
       },
       "ends in package_decided"},
      {"a delivered revision changed",
       [](Rows& r) -> Seq {
         swap_text(r.revisions[0].written, "{", "{ ");
         return entry_of(r, "revision_taken", R"("item":")" + r.revisions[0].item).seq;
       },
       "has another digest than revision 2 of"},
      {"a delivered revision missing",
       [](Rows& r) -> Seq {
         const auto item = r.revisions[0].item;
         r.revisions.erase(r.revisions.begin());
         return entry_of(r, "revision_taken", R"("item":")" + item).seq;
       },
       "has no row: revision 2 of"},
      {"a delivered revision twice",
       [](Rows& r) -> Seq {
         r.revisions.push_back(r.revisions[0]);
         return entry_of(r, "revision_taken", R"("item":")" + r.revisions[0].item).seq;
       },
       "has two rows: revision 2 of"},
      {"a delivered revision that was never taken",
       [](Rows& r) -> Seq {
         r.revisions.push_back({"sort/0", 2, R"({"w":"а","key":"б"})"});
         return std::nullopt;
       },
       R"(revision 2 of "sort/0" is a row without an entry)"},
      {"a revision taken of an item that the package does not have",
       [](Rows& r) -> Seq {
         auto& taken = entry_of(r, "revision_taken");
         set_data(taken, "item", "sort/99");
         const auto seq = taken.seq;
         forge_chain(r);
         return seq;
       },
       "which the package cannot have"},
      {"a revision taken in the place of the first",
       [](Rows& r) -> Seq {
         auto& taken = entry_of(r, "revision_taken", R"("item":")" + r.revisions[0].item);
         r.revisions[0].revision = 1;
         set_data(taken, "revision", 1);
         const auto seq = taken.seq;
         forge_chain(r);
         return seq;
       },
       "which the package cannot have"},
  })));
}

TEST_CASE("no key is derived from delivered bytes that the chain does not vouch for",
          "[verifier]") {
  auto rows = whole("n-nn.run.jsonl");
  rows.revisions[0].written += ' ';
  CHECK(in_words(verify(rows)).find("stands in no bytes of its author") != std::string::npos);
}

TEST_CASE("a delivery that had no effect is on record as refused, or came after the end",
          "[verifier]") {
  auto rows = whole("accepted.run.jsonl");
  rows.revisions.push_back({"sort/0", 2, R"({"w":"а","key":"б"})"});
  CHECK(verify(rows).size() == 1);
  SECTION("refused") {
    put_last(rows, "delivery_refused", {{"item", "sort/0"}, {"revision", 2}});
    CHECK(in_words(verify(rows)) == "");
  }
  SECTION("cancelled") {
    put_last(rows, "cancel_asked", Json::object());
    rows.cancels = 1;
    CHECK(in_words(verify(rows)) == "");
  }
}

TEST_CASE("a key that is not its author's is named, however salt, commitment and chain were forged",
          "[verifier]") {
  const auto forge_key = [](Rows& rows, const std::string& item, int revision,
                            const std::string& key) -> Seq {
    auto& row = key_of(rows, item, revision);
    row = key_row(rows.package, item, revision, key);
    auto& entry = entry_of(rows, "author_key",
                           R"("item":")" + item + R"(","revision":)" + std::to_string(revision));
    set_data(entry, "commitment", validators::hex(key_commitment(row.salt, row.key)));
    const auto seq = entry.seq;
    forge_chain(rows);
    return seq;
  };
  const auto seq_of = [](Rows& r, const std::string& item, int revision) {
    return entry_of(r, "author_key",
                    R"("item":")" + item + R"(","revision":)" + std::to_string(revision))
        .seq;
  };
  check_spoiling(GENERATE_COPY(values<Spoiling>({
      {"a first key rewritten, everything forged",
       [=](Rows& r) { return forge_key(r, "sort/2", 1, R"("Одна Н")"); },
       R"(the key of revision 1 of "sort/2" is not the author's own)"},
      {"a later key rewritten, everything forged",
       [=](Rows& r) { return forge_key(r, "quiz/2", 2, "0"); },
       R"(the key of revision 2 of "quiz/2" is not the author's own)"},
      {"the revised key put in the place of the first one",
       [=](Rows& r) { return forge_key(r, "quiz/2", 1, key_of(r, "quiz/2", 2).key + "0"); },
       R"(the key of revision 1 of "quiz/2" is not the author's own)"},
      {"a key where the kind has none",
       [=](Rows& r) { return forge_key(r, "wheel/0", 1, R"("sound")"); },
       R"(the key of revision 1 of "wheel/0" is not the author's own)"},
      {"a key's row changed",
       [=](Rows& r) -> Seq {
         key_of(r, "sort/2", 1).key = R"("Одна Н")";
         return seq_of(r, "sort/2", 1);
       },
       "is not the author's own"},
      {"a key written with white space",
       [=](Rows& r) -> Seq {
         key_of(r, "quiz/0", 1).key += ' ';
         return seq_of(r, "quiz/0", 1);
       },
       "salt and key do not open"},
      {"a key that is no JSON",
       [=](Rows& r) -> Seq {
         key_of(r, "quiz/0", 1).key = "\xFF{";
         return seq_of(r, "quiz/0", 1);
       },
       "is not the author's own"},
      {"a salt changed",
       [=](Rows& r) -> Seq {
         key_of(r, "sort/2", 2).salt[0] ^= '\1';
         return seq_of(r, "sort/2", 2);
       },
       "salt and key do not open"},
      {"another key was committed to, and its first byte counts as salt now, everything forged",
       [=](Rows& r) -> Seq {
         auto& row = key_of(r, "quiz/0", 1);
         row.salt += '1';
         row.commitment = raw(key_commitment(row.salt, row.key));
         set_data(entry_of(r, "author_key", R"("item":"quiz/0")"), "commitment",
                  validators::hex(key_commitment(row.salt, row.key)));
         forge_chain(r);
         return seq_of(r, "quiz/0", 1);
       },
       "has a salt that is not 32 bytes"},
      {"a commitment's row changed",
       [=](Rows& r) -> Seq {
         key_of(r, "sort/2", 2).commitment[0] ^= '\1';
         return seq_of(r, "sort/2", 2);
       },
       "has another commitment than the row"},
      {"a commitment's entry changed, the chain forged",
       [=](Rows& r) -> Seq {
         set_data(entry_of(r, "author_key", R"("item":"gap/0")"), "commitment",
                  std::string(64, '0'));
         forge_chain(r);
         return seq_of(r, "gap/0", 1);
       },
       "has another commitment than the row"},
      {"a key missing",
       [=](Rows& r) -> Seq {
         const auto& row = key_of(r, "sort/2", 1);
         r.keys.erase(r.keys.begin() + (&row - r.keys.data()));
         return seq_of(r, "sort/2", 1);
       },
       R"(has no row: the key of revision 1 of "sort/2")"},
      {"a key missing and its entry too",
       [=](Rows& r) -> Seq {
         const auto& row = key_of(r, "sort/2", 2);
         r.keys.erase(r.keys.begin() + (&row - r.keys.data()));
         const auto& entry = entry_of(r, "author_key", R"("item":"sort/2","revision":2)");
         r.journal.erase(r.journal.begin() + (&entry - r.journal.data()));
         forge_chain(r);
         return std::nullopt;
       },
       R"(the key of revision 2 of "sort/2" is missing: neither row nor entry)"},
      {"a key twice",
       [=](Rows& r) -> Seq {
         r.keys.push_back(key_of(r, "sort/2", 1));
         return seq_of(r, "sort/2", 1);
       },
       R"(has two rows: the key of revision 1 of "sort/2")"},
      {"a second key slipped in without an entry",
       [=](Rows& r) -> Seq {
         r.keys.push_back(key_row(r.package, "sort/0", 2, R"("Одна Н")"));
         return std::nullopt;
       },
       R"(the key of revision 2 of "sort/0" is a row without an entry)"},
      {"a key of an item that the package does not have, everything forged",
       [=](Rows& r) -> Seq {
         r.keys.push_back(key_row(r.package, "sort/99", 1, "1"));
         const auto at = entry_of(r, "author_key").seq;
         put_after(r, static_cast<std::size_t>(at) - 1, "author_key",
                   {{"item", "sort/99"},
                    {"revision", 1},
                    {"commitment", validators::hex(key_commitment(r.keys.back().salt, "1"))}});
         return at + 1;
       },
       R"(is the key of revision 1 of "sort/99", which the package does not have)"},
      {"a key of a revision that was never taken, everything forged",
       [=](Rows& r) -> Seq {
         r.keys.push_back(key_row(r.package, "sort/0", 2, "1"));
         const auto at = entry_of(r, "author_key").seq;
         put_after(r, static_cast<std::size_t>(at) - 1, "author_key",
                   {{"item", "sort/0"},
                    {"revision", 2},
                    {"commitment", validators::hex(key_commitment(r.keys.back().salt, "1"))}});
         return at + 1;
       },
       R"(is the key of revision 2 of "sort/0", which the package does not have)"},
      {"a key journaled twice, the chain forged",
       [=](Rows& r) -> Seq {
         const auto seq = seq_of(r, "sort/2", 1);
         put_after(r, static_cast<std::size_t>(seq) - 1, "author_key",
                   data_of(r.journal[static_cast<std::size_t>(seq) - 1]));
         return seq + 1;
       },
       "a second time"},
  })));
}

TEST_CASE("of every table, any row that is gone or stands there twice is missed", "[verifier]") {
  const auto& rows = whole("accepted.run.jsonl");
  const auto each = [&](auto table) {
    for (std::size_t i = 0; i < (rows.*table).size(); ++i) {
      CAPTURE(i);
      const auto at = static_cast<std::ptrdiff_t>(i);
      auto fewer = rows;
      (fewer.*table).erase((fewer.*table).begin() + at);
      CHECK_FALSE(verify(fewer).empty());
      auto more = rows;
      (more.*table).insert((more.*table).begin() + at, (rows.*table)[i]);
      CHECK_FALSE(verify(more).empty());
    }
  };
  each(&Rows::journal);
  each(&Rows::keys);
  each(&Rows::calls);
  each(&Rows::revisions);
  each(&Rows::rebuilds);
}

TEST_CASE("any byte that is changed, added or taken away anywhere is found", "[verifier]") {
  const auto& rows = whole("accepted.run.jsonl");
  CHECK(rc::check([&] {
    auto spoiled = rows;
    std::vector<std::string*> texts{&spoiled.package, &spoiled.body, &spoiled.head->hash,
                                    &*spoiled.policy, &*spoiled.games};
    for (auto& row : spoiled.journal) texts.insert(texts.end(), {&row.entry, &row.hash});
    for (auto& row : spoiled.keys) {
      texts.insert(texts.end(), {&row.item, &row.key, &row.salt, &row.commitment});
    }
    for (auto& row : spoiled.calls) {
      texts.insert(texts.end(), {&row.step, &row.status, &row.body, &*row.request});
    }
    for (auto& row : spoiled.revisions) texts.insert(texts.end(), {&row.item, &row.written});
    for (auto& row : spoiled.rebuilds) texts.insert(texts.end(), {&row.item, &row.brief});
    auto& text = **rc::gen::elementOf(texts);
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    const auto byte = *rc::gen::arbitrary<char>();
    switch (*rc::gen::inRange(0, 3)) {
      case 0:
        RC_PRE(text[at] != byte);
        text[at] = byte;
        break;
      case 1:
        text.insert(at, 1, byte);
        break;
      default:
        text.erase(at, 1);
    }
    RC_ASSERT_FALSE(verify(spoiled).empty());
  }));
}

TEST_CASE("rows of any bytes are faults, never an exception", "[verifier]") {
  CHECK(rc::check([](const std::vector<std::string>& texts, std::int64_t number, bool finished) {
    const auto text = [&](std::size_t i) { return i < texts.size() ? texts[i] : std::string{}; };
    const auto entry = R"({"data":{"item":")" + text(0) + R"(","revision":)" +
                       std::to_string(number) + R"(},"kind":"author_key"})";
    Rows rows{text(0),
              text(1),
              {{number, text(2), text(3)}, {1, entry, text(4)}},
              {{text(5), number, text(6), text(7), text(8)}},
              {{text(0), number, text(1), text(2), text(9)}},
              {{text(3), number, text(4)}},
              Rows::Head{number, text(5)},
              finished};
    RC_ASSERT_FALSE(verify(rows).empty());
  }));
}

TEST_CASE("a key lies where its kind says, as the author wrote it", "[verifier]") {
  struct Row {
    const char* why;
    std::string_view kind, written, key;
  };
  const auto row = GENERATE(values<Row>({
      {"an index", "quiz", R"({"q":"?","options":["a","b"],"key":1})", "1"},
      {"another type than the kind has", "quiz", R"({"key":[0.5]})", "[0.5]"},
      {"the right side", "pairs", R"({"left":"a","right":"b"})", R"("b")"},
      {"the steps", "order", R"({"q":"?","steps":["b","a"]})", R"(["b","a"])"},
      {"a byte order mark is no part of it", "sort", "\xEF\xBB\xBF{\"key\":\"x\"}", R"("x")"},
      {"none", "sort", R"({"w":"a"})", "null"},
      {"no item", "sort", R"(["key"])", "null"},
      {"no JSON", "sort", R"({"key":"x")", "null"},
      {"a kind without keys", "wheel", R"("key")", "null"},
      {"a kind without keys, and an object", "wheel", R"({"":1})", "null"},
  }));
  CAPTURE(row.why);
  CHECK(key_of_revision(row.written, rules().kinds->find(row.kind)->second) == row.key);
}

TEST_CASE("a key is compared by what it says", "[verifier]") {
  struct Row {
    const char* why;
    std::string_view one, other;
    bool same;
  };
  const auto row = GENERATE(values<Row>({
      {"the same", R"("а")", R"("а")", true},
      {"escaped otherwise", R"("\u0430")", R"("а")", true},
      {"members in another order", R"({"a":1,"b":[2]})", R"({"b":[2],"a":1})", true},
      {"a whole number as a float", "1.0", "1", true},
      {"canonical JSON knows doubles alone", "9007199254740993", "9007199254740992", true},
      {"another number", "1", "2", false},
      {"a number is no text", "1", R"("1")", false},
      {"steps in another order", R"(["a","b"])", R"(["b","a"])", false},
      {"a list cut short", R"(["a","b"])", R"(["a"])", false},
      {"another name", R"({"a":1})", R"({"b":1})", false},
      {"null is not absent", R"({"a":null})", R"({})", false},
      {"no JSON equals nothing, itself neither", "{", "{", false},
      {"composed and decomposed are two texts", "\"й\"", "\"и\u0306\"", false},
  }));
  CAPTURE(row.why);
  CHECK(same_json(row.one, row.other) == row.same);
}

TEST_CASE("the canonical form has one spelling for each value", "[verifier]") {
  struct Row {
    std::string text;
    bool canonical;
  };
  const auto row = GENERATE(values<Row>({
      {R"({"a":{"B":[],"b":{}},"c":[true,false,null,"ё/\"\\\n\u001f"]})", true},
      {"[9007199254740991,-9007199254740991,0]", true},
      {"9007199254740992", false},
      {"-9007199254740992", false},
      {"-0", false},
      {"00", false},
      {"1.0", false},
      {"1e3", false},
      {R"({"b":1,"a":2})", false},
      {R"({"a":1,"a":2})", false},
      {R"({"ё":1})", false},
      {R"({"\u0061":1})", false},
      {R"({"\n":1," ":2})", true},
      {R"("\/")", false},
      {R"("\u000a")", false},
      {R"("\u001F")", false},
      {R"("\ud83d\ude00")", false},
      {"\"\u007f\U0001F600\U0010FFFF\"", true},
      {"\"\t\"", false},
      {"\"\xC0\x80\"", false},
      {"\"\xE0\x9F\xBF\"", false},
      {"\"\xED\xA0\x80\"", false},
      {"\"\xF0\x8F\xBF\xBF\"", false},
      {"\"\xF4\x90\x80\x80\"", false},
      {"\"\xD0\"", false},
      {"[1, 2]", false},
      {"[1,]", false},
      {"\xEF\xBB\xBF"
       "1",
       false},
      {"1 ", false},
      {"", false},
      {std::string(64, '[') + std::string(64, ']'), true},
      {std::string(65, '[') + std::string(65, ']'), false},
      {std::string("\"\0\"", 3), false},
  }));
  CAPTURE(row.text);
  CHECK(check_canonical_form(row.text).has_value() == !row.canonical);
}

TEST_CASE("on every short text the form's checker and the form's writer agree", "[verifier]") {
  const auto twin = [](const std::string& text) {
    const auto value = validators::parse_json(text);
    if (!value) return false;
    try {
      return journal_data(*value) == text;
    } catch (const std::invalid_argument&) {
      return false;
    }
  };
  const auto each = [&](const std::string& signs, int length_max, const std::string& around) {
    std::vector<std::string> texts{""};
    std::size_t begin = 0;
    int wrong = 0;
    for (int length = 0; length <= length_max; ++length) {
      const auto end = texts.size();
      for (auto i = begin; i < end; ++i) {
        const auto text = around + texts[i] + around;
        if (check_canonical_form(text).has_value() == twin(text)) {
          UNSCOPED_INFO(text);
          ++wrong;
        }
        if (length == length_max) continue;
        for (const char sign : signs) texts.push_back(texts[i] + sign);
      }
      begin = end;
    }
    CHECK(wrong == 0);
  };
  each("{}[]\":,a1 ", 5, "");
  each("-019.e", 6, "");
  each("\\u01cfn\"/", 5, "\"");
  each("\xC2\xE0\xED\xF0\x80\x9F\xA0\xBF", 4, "\"");
  each("\":,01ab", 5, "{\"");  // ends in `{"`, so: never canonical, and never an exception
}

TEST_CASE("the verifier includes nothing of what writes the record", "[verifier][floors]") {
  const auto root = std::filesystem::path{FLAGMAN_SOURCE_DIR} / "daemon/verify";
  const std::set<std::string> allowed{"validators/finding.h", "validators/json.h",
                                      "validators/kinds.h",   "validators/read_package.h",
                                      "nlohmann/json.hpp",    "openssl/evp.h"};
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator{root}) {
    if (!entry.is_regular_file()) continue;
    ++files;
    std::ifstream file{entry.path()};
    for (std::string line; std::getline(file, line);) {
      if (!line.starts_with("#include ")) continue;
      const auto header = line.substr(10, line.find_last_of("\">") - 10);
      if (header.find('/') == std::string::npos) continue;  // the standard library
      CAPTURE(entry.path().string(), header);
      CHECK((header.starts_with("daemon/verify/") || allowed.contains(header)));
    }
  }
  CHECK(files >= 6);
}
