#include "daemon/verify/verifier.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "daemon/verify/author_keys.h"
#include "daemon/verify/canonical_form.h"
#include "validators/json.h"

namespace flagman::daemon {
namespace {

using validators::Json;

constexpr std::int64_t whole_max = (std::int64_t{1} << 53) - 1;
constexpr std::size_t salt_bytes = 32;

// 32 raw bytes.
std::string digest_of(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1) {
    throw std::runtime_error{"SHA-256 is refused by the cryptographic library"};
  }
  return {digest.begin(), digest.begin() + length};
}

std::string in_hex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += digits[byte >> 4];
    text += digits[byte & 0xF];
  }
  return text;
}

// Bytes of a row in a sentence: short, printable ASCII whatever they are.
std::string shown(std::string_view bytes) {
  return Json(bytes.substr(0, 80)).dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::optional<std::string> text_in(const Json& object, std::string_view name) {
  const auto member = object.find(name);
  if (member == object.end() || !member->is_string()) return std::nullopt;
  return member->get<std::string>();
}

// Beyond ±(2^53−1) nothing counts as a whole number, whatever JSON reads it as.
std::optional<std::int64_t> whole_in(const Json& object, std::string_view name) {
  const auto member = object.find(name);
  if (member == object.end() || !member->is_number_integer()) return std::nullopt;
  constexpr auto limit = static_cast<double>(whole_max);
  if (const auto value = member->get<double>(); value > limit || value < -limit) {
    return std::nullopt;
  }
  return member->get<std::int64_t>();
}

// A step and its ask, or an item and its revision.
using Name = std::pair<std::string, std::int64_t>;

std::string call_text(const Name& name) {
  return "call " + std::to_string(name.second) + " of " + shown(name.first);
}
std::string revision_text(const Name& name) {
  return "revision " + std::to_string(name.second) + " of " + shown(name.first);
}
std::string rebuild_text(const Name& name) { return "the rebuild to " + revision_text(name); }
std::string key_text(const Name& name) { return "the key of " + revision_text(name); }

// What an entry says of a row.
struct Said {
  std::int64_t seq = 0;
  std::string digest;  // hexadecimal: of the row's body or bytes, or the key's commitment
  std::string status;  // of a call
  bool has_row = false;
};

// The entries of one kind, which have one row each.
struct Ledger {
  std::string (*text)(const Name&);
  std::map<Name, Said> entries;
};

class Verifier {
 public:
  // The chain's own order alone: nothing is known but its entries.
  std::vector<VerifierFault> go_along_chain() {
    chain_alone_ = true;
    for (const auto& row : rows_.journal) read_row(row);
    return take_faults();
  }

  Verifier(const VerifierRows& rows, const std::shared_ptr<const validators::Kinds>& kinds)
      : rows_(rows), kinds_(kinds) {}

  std::vector<VerifierFault> go() {
    for (const auto& [item, key] : keys_of_body(rows_.body, kinds_)) {
      author_keys_[{to_text(item), 1}] = key;
    }
    for (const auto& row : rows_.journal) read_row(row);
    check_end();
    check_calls();
    check_revisions();
    check_rebuilds();
    check_reviews();
    check_keys();
    return take_faults();
  }

 private:
  void fault(std::optional<std::int64_t> seq, std::string what) {
    faults_.emplace(seq.value_or(whole_max + 1), VerifierFault{seq, std::move(what)});
  }

  std::vector<VerifierFault> take_faults() {
    std::vector<VerifierFault> faults;
    for (auto& [place, fault] : faults_) faults.push_back(std::move(fault));
    return faults;
  }

  // ---- the chain ----

  void read_row(const VerifierRows::Journal& row) {
    if (row.seq <= last_seq_ || row.seq > whole_max) {
      fault(row.seq, "stands twice or out of order");
      return;
    }
    if (row.seq > last_seq_ + 1) {
      fault(last_seq_ + 1, "is missing, the next one is " + std::to_string(row.seq));
      prev_.reset();
    } else if (row.seq == 1 && !chain_alone_) {
      prev_ = digest_of("flagman.journal/1\n" + rows_.package + "\n" + digest_of(rows_.body));
    }
    const auto entry = validators::parse_json(row.entry);
    if (const auto what = chain_fault(row, entry ? *entry : Json())) fault(row.seq, *what);
    last_seq_ = row.seq;
    // What follows is held against the hash as it stands here, so that only this entry is named.
    prev_ = row.hash;
    // A broken entry still says what it says: the rows it speaks of are not missing besides.
    if (!chain_alone_ && entry && entry->is_object()) read_fact(row.seq, *entry);
  }

  // The first thing that is wrong with an entry as a link; `entry` is null where it does not read.
  std::optional<std::string> chain_fault(const VerifierRows::Journal& row, const Json& entry) {
    if (const auto form = check_canonical_form(row.entry)) {
      return "is not in canonical form: " + std::string{form->what} + " (byte " +
             std::to_string(form->byte) + ")";
    }
    if (digest_of(std::string(1, '\0') + row.entry) != row.hash) return "does not have its hash";
    if (!has_frame(entry)) return "does not have the fields of an entry";
    if (text_in(entry, "package") != rows_.package) return "is of another package";
    if (whole_in(entry, "seq") != row.seq) return "has another number than its place";
    if (whole_in(entry, "schema") != 1) return "has a schema that is not 1";
    if (prev_ && text_in(entry, "prev") != in_hex(*prev_)) {
      if (row.seq == 1) return "does not begin with this package and this body";
      return "does not follow the entry before it: one of the two was changed";
    }
    const auto epoch = *whole_in(entry, "epoch");
    if (epoch < epoch_) return "has an epoch below that of an entry before it";
    epoch_ = epoch;
    return std::nullopt;
  }

  static bool has_frame(const Json& entry) {
    constexpr std::array texts{"kind", "package", "prev", "time", "worker"};
    constexpr std::array wholes{"epoch", "schema", "seq"};
    const auto is_text = [&](const char* name) { return text_in(entry, name).has_value(); };
    const auto is_whole = [&](const char* name) { return whole_in(entry, name).has_value(); };
    return entry.is_object() && entry.size() == texts.size() + wholes.size() + 1 &&
           std::all_of(texts.begin(), texts.end(), is_text) &&
           std::all_of(wholes.begin(), wholes.end(), is_whole) && entry.contains("data") &&
           entry["data"].is_object();
  }

  void check_end() {
    if (rows_.head && rows_.head->seq != last_seq_) {
      const auto first = std::min(rows_.head->seq, last_seq_) + 1;
      fault(first, rows_.head->seq > last_seq_ ? "is missing: the head lies beyond it"
                                               : "stands behind the head");
    } else if (rows_.head && rows_.head->hash != prev_.value_or("")) {
      fault(last_seq_, "is not the head: that one has another hash");
    }
    if (rows_.finished && !decided_) {
      fault(last_seq_ + 1, "is missing: a finished package ends in package_decided");
    }
    if (last_seq_ > 0 && !received_ && !set_aside_)
      fault(1, "should be package_received: no entry is");
  }

  // ---- what the entries say ----

  void read_fact(std::int64_t seq, const Json& entry) {
    const auto kind = text_in(entry, "kind").value_or("");
    const auto data = entry.value("data", Json());
    note_end(kind);
    if (kind == "package_received") {
      read_received(seq, data);
    } else if (kind == "asked") {
      read_asked(seq, data);
    } else if (kind == "answered") {
      read_answered(seq, data);
    } else if (kind == "revision_taken") {
      read_taken(seq, data);
    } else if (kind == "author_key") {
      read_key(seq, data);
    } else if (kind == "rebuild_requested") {
      const auto name = name_in(seq, data, "item", "revision");
      if (name) note(seq, rebuilds_, *name, data, "brief_sha256");
    } else if (kind == "operator_decided") {
      read_decided(seq, data);
    } else if (kind == "delivery_refused") {
      if (const auto name = name_in(seq, data, "item", "revision")) refused_.insert(*name);
    } else if (kind == "cancel_asked") {
      cancelled_ = true;
      cancels_.push_back(seq);
    } else if (kind == "package_set_aside") {
      set_aside_ = true;
    }
  }

  // An act of an operator whose kind is unknown here may be the last, as may a refused delivery.
  void note_end(const std::string& kind) {
    constexpr std::array of_the_way{
        "package_received", "author_key",        "asked",          "answered",
        "ask_failed",       "ballots",           "ruling",         "verdict",
        "hearing_opened",   "rebuild_requested", "revision_taken", "item_decided"};
    if (kind == "package_decided") decided_ = true;
    if (std::find(of_the_way.begin(), of_the_way.end(), kind) != of_the_way.end()) decided_ = false;
  }

  std::optional<Name> name_in(std::int64_t seq, const Json& data, std::string_view what,
                              std::string_view number) {
    auto text = data.is_object() ? text_in(data, what) : std::nullopt;
    const auto whole = data.is_object() ? whole_in(data, number) : std::nullopt;
    if (text && whole) return Name{std::move(*text), *whole};
    fault(seq, "lacks data of its kind");
    return std::nullopt;
  }

  void note(std::int64_t seq, Ledger& ledger, const Name& name, const Json& data,
            std::string_view digest) {
    const Said said{seq, text_in(data, digest).value_or(""), text_in(data, "status").value_or("")};
    if (!ledger.entries.emplace(name, said).second) {
      fault(seq, "speaks of " + ledger.text(name) + " a second time");
    }
  }

  void read_received(std::int64_t seq, const Json& data) {
    if (received_) fault(seq, "receives the package a second time");
    received_ = true;
    const bool fits = data.is_object() &&
                      text_in(data, "body_sha256") == in_hex(digest_of(rows_.body)) &&
                      whole_in(data, "bytes") == static_cast<std::int64_t>(rows_.body.size());
    if (!fits) fault(seq, "has another digest or size than the body");
    check_setting(seq, data, "policy_sha256", rows_.policy);
    check_setting(seq, data, "games_sha256", rows_.games);
  }

  void check_setting(std::int64_t seq, const Json& data, const std::string& name,
                     const std::optional<std::string>& setting) {
    if (setting && text_in(data, name) != in_hex(digest_of(*setting))) {
      fault(seq, "has another " + name + " than the setting");
    }
  }

  void read_asked(std::int64_t seq, const Json& data) {
    const auto name = name_in(seq, data, "step", "call");
    if (!name) return;
    const Said said{seq, text_in(data, "question_sha256").value_or(""), {}};
    if (!asked_.emplace(*name, said).second) {
      fault(seq, "asks " + call_text(*name) + " a second time");
    }
  }

  void read_answered(std::int64_t seq, const Json& data) {
    const auto name = name_in(seq, data, "step", "call");
    if (!name) return;
    if (!asked_.contains(*name)) fault(seq, "answers " + call_text(*name) + ", never asked");
    note(seq, calls_, *name, data, "body_sha256");
  }

  void read_taken(std::int64_t seq, const Json& data) {
    const auto name = name_in(seq, data, "item", "revision");
    if (!name) return;
    if (name->second < 2 || !author_keys_.contains({name->first, 1})) {
      fault(seq, "takes " + revision_text(*name) + ", which the package cannot have");
    }
    note(seq, revisions_, *name, data, "item_sha256");
  }

  void read_key(std::int64_t seq, const Json& data) {
    const auto name = name_in(seq, data, "item", "revision");
    if (!name) return;
    if (!author_keys_.contains(*name) && !revisions_.entries.contains(*name)) {
      fault(seq, "is " + key_text(*name) + ", which the package does not have");
    }
    note(seq, keys_, *name, data, "commitment");
  }

  void read_decided(std::int64_t seq, const Json& data) {
    const auto text = [&](const char* name) {
      return data.is_object() ? text_in(data, name) : std::nullopt;
    };
    auto item = text("item"), act = text("act"), who = text("who"), why = text("why");
    if (!item || !act || !who || !why) {
      fault(seq, "lacks data of its kind");
      return;
    }
    reviews_.emplace_back(seq, VerifierRows::Review{std::move(*item), std::move(*act),
                                                    std::move(*who), std::move(*why)});
  }

  // ---- rows against entries ----

  // The entry that speaks of a row; null where there is none or it has its row already.
  const Said* match(Ledger& ledger, const Name& name) {
    const auto found = ledger.entries.find(name);
    if (found == ledger.entries.end()) {
      fault(std::nullopt, ledger.text(name) + " is a row without an entry");
      return nullptr;
    }
    if (std::exchange(found->second.has_row, true)) {
      fault(found->second.seq, "has two rows: " + ledger.text(name));
      return nullptr;
    }
    return &found->second;
  }

  void check_all_matched(const Ledger& ledger) {
    for (const auto& [name, said] : ledger.entries) {
      if (!said.has_row) fault(said.seq, "has no row: " + ledger.text(name) + " is missing");
    }
  }

  void check_calls() {
    for (const auto& row : rows_.calls) {
      const Name name{row.step, row.call};
      const auto* said = match(calls_, name);
      if (said == nullptr) continue;
      if (row.status != said->status)
        fault(said->seq, "has another status than " + call_text(name));
      if (in_hex(digest_of(row.body)) != said->digest) {
        fault(said->seq, "has another digest than the body of " + call_text(name));
      }
      check_request(row, name);
    }
    check_all_matched(calls_);
  }

  void check_request(const VerifierRows::Call& row, const Name& name) {
    const auto asked = asked_.find(name);
    if (asked == asked_.end() || !row.request) return;
    if (in_hex(digest_of(*row.request)) != asked->second.digest) {
      fault(asked->second.seq, "has another digest than the question of " + call_text(name));
    }
  }

  // A key is only ever derived from delivered bytes that the chain vouches for.
  void check_revisions() {
    for (const auto& row : rows_.revisions) {
      const Name name{row.item, row.revision};
      const bool without_effect = refused_.contains(name) || cancelled_;
      if (without_effect && !revisions_.entries.contains(name)) continue;
      const auto* said = match(revisions_, name);
      if (said == nullptr) continue;
      if (in_hex(digest_of(row.written)) != said->digest) {
        fault(said->seq, "has another digest than " + revision_text(name) + " as delivered");
        continue;
      }
      const auto item = validators::parse_item_name(row.item);
      const auto kind = item ? kinds_->find(item->kind) : kinds_->end();
      if (kind != kinds_->end())
        author_keys_.emplace(name, key_of_revision(row.written, kind->second));
    }
    check_all_matched(revisions_);
  }

  void check_rebuilds() {
    for (const auto& row : rows_.rebuilds) {
      const Name name{row.item, row.revision};
      const auto* said = match(rebuilds_, name);
      if (said != nullptr && in_hex(digest_of(row.brief)) != said->digest) {
        fault(said->seq, "has another digest than the brief of " + rebuild_text(name));
      }
    }
    check_all_matched(rebuilds_);
  }

  // An item may be decided about more than once: each decision takes one row that says the same.
  void check_reviews() {
    auto rows = rows_.reviews;
    for (const auto& [seq, said] : reviews_) {
      const auto row = std::find(rows.begin(), rows.end(), said);
      if (row == rows.end()) {
        fault(seq, "decides about " + shown(said.item) + " as no act in the inbox does");
      } else {
        rows.erase(row);
      }
    }
    for (const auto& row : rows) {
      fault(std::nullopt, "the act " + shown(row.act) + " about " + shown(row.item) +
                              " is a row without an entry");
    }
    for (auto at = static_cast<std::size_t>(rows_.cancels); at < cancels_.size(); ++at) {
      fault(cancels_[at], "cancels the package as no act in the inbox does");
    }
    if (rows_.cancels > static_cast<std::int64_t>(cancels_.size())) {
      fault(std::nullopt, "an act that cancels the package is a row without an entry");
    }
  }

  void check_keys() {
    std::set<Name> with_row;
    for (const auto& row : rows_.keys) {
      const Name name{row.item, row.revision};
      with_row.insert(name);
      const auto* said = match(keys_, name);
      check_authorship(row, said == nullptr ? std::nullopt : std::optional{said->seq});
      if (said != nullptr) check_commitment(row, *said);
    }
    check_all_matched(keys_);
    if (!received_) return;  // before that no key is on record
    for (const auto& [name, key] : author_keys_) {
      if (!keys_.entries.contains(name) && !with_row.contains(name)) {
        fault(std::nullopt, key_text(name) + " is missing: neither row nor entry");
      }
    }
  }

  void check_authorship(const VerifierRows::Key& row, std::optional<std::int64_t> seq) {
    const Name name{row.item, row.revision};
    const auto authors = author_keys_.find(name);
    if (authors == author_keys_.end()) {
      fault(seq, key_text(name) + " stands in no bytes of its author");
    } else if (!same_json(row.key, authors->second)) {
      fault(seq, key_text(name) + " is not the author's own");
    }
  }

  // A salt of free length would let bytes move between salt and key: "…1" and 2 for "…" and 12.
  void check_commitment(const VerifierRows::Key& row, const Said& said) {
    const auto text = key_text({row.item, row.revision});
    if (row.salt.size() != salt_bytes) fault(said.seq, "has a salt that is not 32 bytes: " + text);
    if (in_hex(row.commitment) != said.digest) {
      fault(said.seq, "has another commitment than the row of " + text);
    }
    if (in_hex(digest_of(row.salt + row.key)) != said.digest) {
      fault(said.seq, "has a commitment that salt and key do not open: " + text);
    }
  }

  const VerifierRows& rows_;
  const std::shared_ptr<const validators::Kinds>& kinds_;
  std::multimap<std::int64_t, VerifierFault> faults_;  // by entry; equal ones as they were seen

  std::int64_t last_seq_ = 0;
  std::int64_t epoch_ = 0;
  std::optional<std::string> prev_;  // raw; absent after a gap
  bool received_ = false;
  bool decided_ = false;
  bool cancelled_ = false;
  bool chain_alone_ = false;
  bool set_aside_ = false;  // its workers died before they could read it
  std::set<Name> refused_;  // deliveries
  std::map<Name, Said> asked_;
  Ledger calls_{call_text, {}};
  Ledger revisions_{revision_text, {}};
  Ledger keys_{key_text, {}};
  Ledger rebuilds_{rebuild_text, {}};
  std::vector<std::pair<std::int64_t, VerifierRows::Review>> reviews_;  // with their entries
  std::vector<std::int64_t> cancels_;                                   // their entries
  std::map<Name, std::string> author_keys_;  // as the author's bytes have them
};

}  // namespace

std::vector<VerifierFault> verify_package(const VerifierRows& rows,
                                          const std::shared_ptr<const validators::Kinds>& kinds) {
  return Verifier{rows, kinds}.go();
}

ChainReading verify_entries(const std::vector<std::string>& entries) {
  VerifierRows rows;
  for (const auto& entry : entries) {
    rows.journal.push_back({static_cast<std::int64_t>(rows.journal.size()) + 1, entry,
                            digest_of(std::string(1, '\0') + entry)});
  }
  ChainReading reading;
  if (rows.journal.empty()) return reading;
  const auto first = validators::parse_json(entries.front());
  if (first && first->is_object()) rows.package = text_in(*first, "package").value_or("");
  reading.package = rows.package;
  reading.head = in_hex(rows.journal.back().hash);
  reading.faults = Verifier{rows, nullptr}.go_along_chain();
  return reading;
}

}  // namespace flagman::daemon
