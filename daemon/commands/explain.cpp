#include "daemon/commands/explain.h"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "arbiter/answer.h"
#include "daemon/commands/database.h"
#include "daemon/commands/run_file.h"
#include "daemon/recorded_models.h"
#include "daemon/replay.h"
#include "daemon/worker/package_run.h"

namespace flagman::daemon {
namespace {

using namespace arbiter;
using validators::Item;
using validators::ItemName;
using validators::Json;

std::string quoted(const std::string& text) { return "«" + text + "»"; }

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const auto& text : texts) all += (all.empty() ? "" : ", ") + quoted(text);
  return all;
}

// The key in words; of an item that could not be typed, as it was written.
std::string key_words(const Item& item) {
  if (!item.key) return item.key_written();
  if (std::holds_alternative<std::monostate>(item.key->answer())) return "-";
  return quoted(spoken(item.key->answer()));
}

// Tells what concerns one item as it happens.
class Storyteller {
 public:
  Storyteller(ItemName item, const CommandContext& context)
      : item_(std::move(item)), out_(context.out), language_(context.language) {}

  void hear(const Happening& happening, const RoundState& state) {
    state_ = &state;
    std::visit([&](const auto& one) { std::visit(*this, one); }, happening);
  }

  void tell(const std::string& phrase,
            const std::map<std::string, std::string, std::less<>>& names = {}) {
    out_ << language_.tell(phrase, names) << '\n';
  }

  void operator()(const AskSolver& ask) {
    if (ask.step.kind != item_.kind) return;
    for (const auto& item : ask.sheet.items) {
      if (item.ordinal != item_.ordinal) continue;
      open_chapter(ask.step.round);
      steps_.emplace(to_text(ask.step), ask.step.solver);
    }
  }
  void operator()(const AskArbiter& ask) {
    if (ask.step.item != item_) return;
    const std::string order = ask.step.order == Order::ab ? "ab" : "ba";
    steps_.emplace(to_text(ask.step), language_.tell("arbiter_order", {{"order", order}}));
  }
  void operator()(const AskFailed& failed) {
    const auto step = steps_.find(failed.step);
    if (step == steps_.end()) return;
    const auto call = std::to_string(failed.call);
    if (!failed.refusal) {
      tell("ask_silent", {{"who", step->second}, {"call", call}});
      return;
    }
    const std::string refusal{name_of(*failed.refusal)};
    tell("ask_failed", {{"who", step->second},
                        {"call", call},
                        {"refusal", refusal},
                        {"sentence", language_.say("refusals", refusal)}});
  }
  void operator()(const BallotsTaken& taken) {
    if (taken.step.kind != item_.kind) return;
    for (std::size_t i = 0; i < taken.ordinals.size(); ++i) {
      if (taken.ordinals[i] == item_.ordinal) tell_ballot(taken, taken.ballots[i]);
    }
  }
  void operator()(const HearingOpened& opened) {
    if (opened.item != item_) return;
    std::vector<std::string> candidates;
    candidates.reserve(opened.candidates.size());
    for (const auto& candidate : opened.candidates) candidates.push_back(candidate.text);
    tell("hearing",
         {{"reason", std::string{name_of(opened.reason)}}, {"candidates", joined(candidates)}});
  }
  void operator()(const RulingTaken& taken) {
    if (taken.step.item != item_) return;
    tell("ruling", {{"order", taken.step.order == Order::ab ? "ab" : "ba"},
                    {"call", std::to_string(taken.call)},
                    {"choice", taken.choice ? quoted(*taken.choice) : language_.tell("no_choice")},
                    {"why", quoted(taken.why)}});
  }
  void operator()(const HearingClosed& closed) {
    if (closed.item == item_) tell(closed.verdict == Verdict::uphold ? "uphold" : "flag");
  }
  void operator()(const RequestRebuild& request) {
    if (request.brief.item == item_) {
      tell("rebuild", {{"revision", std::to_string(request.brief.revision)}});
    }
  }
  void operator()(const RevisionTaken& taken) {
    if (taken.item == item_) tell("delivered", {{"revision", std::to_string(taken.revision)}});
  }
  void operator()(const DeliveryRefused& refused) {
    if (refused.item == item_) {
      tell("refused_delivery", {{"revision", std::to_string(refused.revision)}});
    }
  }
  void operator()(const ItemDecided& decided) {
    if (decided.item != item_) return;
    const auto& decision = decided.decision;
    open_chapter(decision.revision);
    std::string route;
    if (decision.route) {
      const std::string name{name_of(*decision.route)};
      route = language_.tell("by", {{"route", language_.say("routes", name)}});
    }
    tell("decided", {{"outcome", outcome_words(decision.outcome)}, {"route", route}});
    for (const auto reason : decision.reasons) {
      const std::string code{name_of(reason)};
      tell("because", {{"code", code}, {"sentence", language_.say("reasons", code)}});
    }
  }
  void operator()(const PackageDecided&) const {}

  void operator()(const SolverNotRecorded& missing) { tell_missing(to_text(missing.step)); }
  void operator()(const ArbiterNotRecorded& missing) { tell_missing(to_text(missing.step)); }
  void operator()(const RevisionNotRecorded& missing) {
    if (missing.item == item_) tell("not_delivered", {{"revision", std::to_string(chapter_ + 1)}});
  }
  // What was fed in is told when the machine has taken it.
  void operator()(const SolverAnswered&) const {}
  void operator()(const ArbiterAnswered&) const {}
  void operator()(const RevisionDelivered&) const {}
  void operator()(const RevisionOverdue& overdue) {
    if (overdue.item == item_) tell("overdue", {{"revision", std::to_string(chapter_ + 1)}});
  }
  void operator()(const OperatorDecided& decided) {
    if (decided.item != item_ || reviews_.empty()) return;
    const auto& review = reviews_.front();
    tell("operator", {{"who", review["who"].get<std::string>()},
                      {"act", review["act"].get<std::string>()},
                      {"why", quoted(review["why"].get<std::string>())}});
    reviews_.pop_front();
  }
  void operator()(const PackageCancelled&) { tell("cancelled"); }

  /// What people decided about the item, in order: an event names neither who nor why.
  void know_reviews(const std::vector<std::string>& entries) {
    for (const auto& bytes : entries) {
      const auto entry = Json::parse(bytes);
      if (entry["kind"] == "operator_decided" && entry["data"]["item"] == to_text(item_)) {
        reviews_.push_back(entry["data"]);
      }
    }
  }

  [[nodiscard]] std::string outcome_words(Outcome outcome) const {
    return language_.say("outcomes", std::string{name_of(outcome)});
  }

 private:
  // A revision is judged in the round of its number: that is a chapter of the story.
  void open_chapter(int revision) {
    if (chapter_ == revision) return;
    chapter_ = revision;
    const auto number = std::to_string(revision);
    out_ << '\n';
    tell("round", {{"round", number}, {"revision", number}});
    const auto& item = find_item(*state_, item_)->item;
    if (item.face) {
      tell("text", {{"text", quoted(item.face->text)}});
      if (!item.face->options.empty()) tell("options", {{"options", joined(item.face->options)}});
    }
    tell("key", {{"key", key_words(item)}});
    for (const auto& finding : item.all_findings()) {
      tell("finding", {{"code", std::string{name_of(finding.code)}},
                       {"place", finding.place.empty() ? "/" : finding.place},
                       {"detail", finding.detail}});
    }
  }

  void tell_ballot(const BallotsTaken& taken, const Ballot& ballot) {
    std::string relation;
    if (ballot.relation) {
      relation = language_.tell(*ballot.relation == Relation::expansion ? "expansion" : "other");
    }
    std::string why;
    if (!ballot.why.empty()) why = language_.tell("why", {{"why", quoted(ballot.why)}});
    const bool answers = !std::holds_alternative<std::monostate>(ballot.answer);
    tell("ballot", {{"who", taken.step.solver},
                    {"call", std::to_string(taken.call)},
                    {"answer", answers ? quoted(spoken(ballot.answer)) : "-"},
                    {"soundness", language_.tell(ballot.sound ? "sound" : "unsound")},
                    {"relation", relation},
                    {"why", why}});
  }

  void tell_missing(const std::string& step) {
    const auto asked = steps_.find(step);
    if (asked == steps_.end()) return;
    tell("not_recorded", {{"who", asked->second}, {"step", step}});
  }

  ItemName item_;
  std::ostream& out_;
  const Language& language_;
  std::map<std::string, std::string> steps_;  // steps that concern the item → who is asked
  std::deque<Json> reviews_;
  int chapter_ = 0;  // the revision in hand
  const RoundState* state_ = nullptr;
};

void tell_recorded(const RecordedRun& run, const RecordedPackage& package, const ItemName& name,
                   const ItemProgress& item, Storyteller& story, const Language& language) {
  for (const auto& recorded : run.decisions) {
    if (recorded.package != package.id || recorded.item != name) continue;
    const bool same =
        std::any_of(item.keys_written.begin(), item.keys_written.end(), [&](const auto& key) {
          const auto at = static_cast<std::size_t>(&key - item.keys_written.data());
          return item.history[at].revision == recorded.revision &&
                 Json::parse(key) == Json::parse(recorded.key);
        });
    story.tell(same ? "recorded_same" : "recorded_other",
               {{"outcome", language.say("outcomes", recorded.outcome)},
                {"revision", std::to_string(recorded.revision)},
                {"key", recorded.key}});
  }
}

// Tells the beginning once, as soon as the item is there.
Observer tell_to(Storyteller& story, const ItemName& name, const std::string& package,
                 const CommandContext& context) {
  return [&story, name, package, &context, begun = false](const Happening& happening,
                                                          const RoundState& state) mutable {
    if (find_item(state, name) == nullptr) return;
    if (!begun) {
      story.tell("item", {{"item", to_text(name)},
                          {"package", package},
                          {"kind", context.language.say("kinds", name.kind)}});
      begun = true;
    }
    story.hear(happening, state);
  };
}

void tell_end(Storyteller& story, const ItemProgress& item, const CommandContext& context) {
  context.out << '\n';
  story.tell("final",
             {{"outcome", story.outcome_words(item.outcome)}, {"key", key_words(item.item)}});
}

// False where the package has no such item.
bool explain_in(const RecordedRun& run, const RecordedPackage& package, const ItemName& name,
                const CommandContext& context, bool& complete) {
  RecordedModels models{run};
  Storyteller story{name, context};
  const auto replayed = replay_package(run, package, context.configuration.games, models,
                                       tell_to(story, name, package.id, context));
  const auto* item = find_item(replayed.state, name);
  if (item == nullptr) return false;
  complete = complete && replayed.missing.empty();
  tell_end(story, *item, context);
  tell_recorded(run, package, name, *item, story, context.language);
  return true;
}

// A name that can only have been meant as a file's, whether or not there is one.
bool looks_like_file(const std::string& name) {
  return name.ends_with(".jsonl") || name.find('/') != std::string::npos;
}

int explain_run(const ExplainOptions& options, const ItemName& name,
                const CommandContext& context) {
  const auto run = open_run(options.run);
  bool told = false;
  bool complete = true;
  for (const auto& package : run.packages) {
    if (!options.package.empty() && package.id != options.package) continue;
    if (told) context.out << '\n';
    told = explain_in(run, package, name, context, complete) || told;
  }
  if (!told) {
    throw UsageError{"no such item: " + options.item + ": `flagman replay " + options.run +
                     "` lists the items of the run"};
  }
  return complete ? exit_ok : exit_not_recorded;
}

int explain_package(const ExplainOptions& options, const ItemName& name,
                    const CommandContext& context) {
  auto store = open_store(context);
  auto record = store.load(package_number(store, options.run));
  const auto package = record.name;
  if (rule_digests(record).policy.empty()) {
    throw UsageError{"nobody has looked at it yet: " + package + ": try again in a moment"};
  }
  const auto rules = rules_on_record(store, record, {});
  Storyteller story{name, context};
  story.know_reviews(record.entries);
  const auto state = fold_record(std::move(record), rules, tell_to(story, name, package, context));
  const auto* item = find_item(state, name);
  if (item == nullptr) {
    throw UsageError{"no such item: " + options.item + ": `flagman status " + package +
                     "` lists the items of the package"};
  }
  tell_end(story, *item, context);
  return exit_ok;
}

}  // namespace

int explain(const ExplainOptions& options, const CommandContext& context) {
  const auto bare = options.item.substr(0, options.item.find('@'));
  const auto name = validators::parse_item_name(bare);
  if (!name) {
    throw UsageError{"no item's name: " + options.item + ": name it like sort/3"};
  }
  std::error_code unreadable;
  if (std::filesystem::exists(options.run, unreadable) || looks_like_file(options.run)) {
    return explain_run(options, *name, context);
  }
  return explain_package(options, *name, context);
}

}  // namespace flagman::daemon
