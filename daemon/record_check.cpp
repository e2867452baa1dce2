#include "daemon/record_check.h"

#include <algorithm>
#include <deque>
#include <exception>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "daemon/journal/canonical.h"
#include "daemon/journal/record.h"
#include "daemon/version.h"
#include "daemon/worker/package_run.h"
#include "validators/digest.h"
#include "validators/json.h"

namespace flagman::daemon {
namespace {

using validators::Json;

bool is_final(const std::string& status) {
  return status == "accepted" || status == "rejected" || status == "manual_review" ||
         status == "cancelled";
}

std::string joined(const std::vector<validators::Reason>& reasons) {
  std::string text;
  for (const auto reason : reasons)
    text += (text.empty() ? "" : ",") + std::string{name_of(reason)};
  return text;
}

bool same(const ItemRow& one, const ItemRow& other) {
  return one.revision == other.revision && one.outcome == other.outcome &&
         one.route == other.route && one.reasons == other.reasons && one.written == other.written &&
         one.echo == other.echo;
}

// What an entry is about, for the sentence that names it.
std::string subject_of(const Fact& fact) {
  const auto data = Json::parse(fact.data);
  for (const auto* name : {"item", "step"}) {
    if (data.contains(name)) return fact.kind + " of " + data[name].get<std::string>();
  }
  return fact.kind;
}

class Check {
 public:
  Check(const PackageRecord& record, const std::vector<ItemRow>& items, const Rules& rules)
      : record_(record), items_(items), rules_(rules) {}

  RecordCheck go() {
    for (const auto& bytes : record_.entries) entries_.push_back(Json::parse(bytes));
    read_way();
    if (!result_.judged_by.empty()) return std::move(result_);
    check_digest();
    if (!opened_) {
      check_status(last_decision_, "");
      return std::move(result_);
    }
    const auto state =
        fold_record(record_, rules_, [this](const Happening& happening, const auto&) {
          if (const auto* command = std::get_if<arbiter::Command>(&happening)) compare(*command);
        });
    while (!derived_.empty()) report_extra();
    std::string outcome;
    if (state.outcome) outcome = name_of(*state.outcome);
    if (!state.outcome && set_aside_last_) outcome = "manual_review";
    check_status(outcome, joined(state.reasons));
    check_items(item_rows(state));
    return std::move(result_);
  }

 private:
  struct Derived {
    std::int64_t seq;
    Fact fact;
  };

  void fault(std::string what) { result_.faults.push_back(std::move(what)); }

  // Sorts the entries: what follows from others is kept for comparison.
  void read_way() {
    static const std::set<std::string> follow{
        "asked",   "ask_failed",        "ballots",        "hearing_opened", "ruling",
        "verdict", "rebuild_requested", "revision_taken", "item_decided",   "package_decided"};
    std::int64_t seq = 0;
    bool after_set_aside = false;
    for (const auto& entry : entries_) {
      ++seq;
      const auto kind = entry["kind"].get<std::string>();
      const auto& data = entry["data"];
      if (kind == "package_received") {
        opened_ = true;
        const auto by = data.value("flagman", std::string{"an unknown version"});
        if (by != version) result_.judged_by = by;
      }
      if (kind == "package_decided") last_decision_ = data["outcome"].get<std::string>();
      if (kind == "package_decided" && after_set_aside) {
        if (last_decision_ != "manual_review") not_following(seq, "package_decided");
      } else if (follow.contains(kind)) {
        derived_.push_back({seq, {kind, canonical_json(data)}});
      }
      after_set_aside = kind == "package_set_aside";
      if (kind == "package_set_aside") set_aside_last_ = true;
      if (kind == "answered" || kind == "revision_taken" || kind == "operator_decided") {
        set_aside_last_ = false;
      }
    }
    const bool unread_end = last_decision_.empty() || last_decision_ == "manual_review" ||
                            last_decision_ == "cancelled";
    if (!opened_ && !unread_end) not_following(seq, "package_decided");
  }

  void not_following(std::int64_t seq, const std::string& subject) {
    fault("entry " + std::to_string(seq) + " does not follow from what is on record: " + subject);
  }

  void compare(const arbiter::Command& command) {
    const auto expected = fact_of(command);
    if (derived_.empty()) {
      fault("an entry is missing that follows from what is on record: " + subject_of(expected));
      return;
    }
    const auto found = std::move(derived_.front());
    derived_.pop_front();
    // After the first that differs all the others would.
    if (differs_) return;
    if (found.fact.kind == expected.kind && found.fact.data == expected.data) return;
    differs_ = true;
    not_following(found.seq, subject_of(found.fact));
  }

  void report_extra() {
    const auto found = std::move(derived_.front());
    derived_.pop_front();
    if (!differs_) not_following(found.seq, subject_of(found.fact));
    differs_ = true;
  }

  void check_digest() {
    const auto digest = validators::sha256(record_.body);
    if (record_.body_digest != std::string{digest.begin(), digest.end()}) {
      fault("the digest that was noted of the body is of another one");
    }
  }

  void check_status(const std::string& outcome, const std::string& reasons) {
    if (is_final(record_.status) ? outcome != record_.status : is_final(outcome)) {
      fault("the status says " + record_.status + ", the record says " +
            (outcome.empty() ? "that it goes on" : outcome));
    } else if (record_.reasons != reasons) {
      fault("the package's reasons do not follow from the record");
    }
  }

  void check_items(const std::vector<ItemRow>& expected) {
    std::map<validators::ItemName, const ItemRow*> rows;
    for (const auto& row : items_) rows[row.item] = &row;
    for (const auto& item : expected) {
      const auto row = rows.find(item.item);
      if (row == rows.end() || !same(*row->second, item)) {
        fault("the row of " + to_text(item.item) + " does not follow from the record");
      }
      if (row != rows.end()) rows.erase(row);
    }
    for (const auto& [item, row] : rows) {
      fault("the row of " + to_text(item) + " is of no item of the package");
    }
  }

  const PackageRecord& record_;
  const std::vector<ItemRow>& items_;
  const Rules& rules_;
  std::vector<Json> entries_;
  std::deque<Derived> derived_;
  std::string last_decision_;
  bool opened_ = false;
  bool set_aside_last_ = false;  // nothing came in since it was set aside
  bool differs_ = false;
  RecordCheck result_;
};

}  // namespace

RecordCheck check_record(const PackageRecord& record, const std::vector<ItemRow>& items,
                         const Rules& rules) {
  try {
    return Check{record, items, rules}.go();
  } catch (const std::exception& error) {
    return {{error.what()}, {}};
  }
}

}  // namespace flagman::daemon
