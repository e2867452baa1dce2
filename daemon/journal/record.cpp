#include "daemon/journal/record.h"

#include <nlohmann/json.hpp>
#include <utility>
#include <variant>
#include <vector>

#include "daemon/journal/entry.h"
#include "daemon/version.h"
#include "validators/digest.h"
#include "validators/json.h"

namespace flagman::daemon {
namespace {

using namespace arbiter;
using validators::hex;
using validators::Json;
using validators::Reason;
using validators::sha256;

Json codes(const std::vector<Reason>& reasons) {
  Json list = Json::array();
  for (const auto reason : reasons) list.push_back(name_of(reason));
  return list;
}

Json answer_json(const validators::Answer& answer) {
  if (const auto* text = std::get_if<std::string>(&answer)) return *text;
  if (const auto* steps = std::get_if<std::vector<std::string>>(&answer)) return *steps;
  return nullptr;
}

std::string_view name_of_verdict(Verdict verdict) {
  switch (verdict) {
    case Verdict::uphold:
      return "uphold";
    case Verdict::flag_disagrees:
      return "flag_disagrees";
    case Verdict::flag_unstable:
      return "flag_unstable";
    case Verdict::flag_contradicts_itself:
      return "flag_contradicts_itself";
    case Verdict::flag_none:
      break;
  }
  return "flag_none";
}

Fact fact(std::string kind, const Json& data) { return {std::move(kind), journal_data(data)}; }

struct FactMaker {
  Fact operator()(const AskSolver& ask) const {
    return fact("asked", asked(to_text(ask.step), ask.call, to_json(ask.sheet)));
  }
  Fact operator()(const AskArbiter& ask) const {
    return fact("asked", asked(to_text(ask.step), ask.call, to_json(ask.question)));
  }
  Fact operator()(const RequestRebuild& request) const {
    return fact("rebuild_requested", {{"item", to_text(request.brief.item)},
                                      {"revision", request.brief.revision},
                                      {"brief_sha256", hex(sha256(to_json(request.brief)))}});
  }
  Fact operator()(const AskFailed& failed) const {
    Json refusal = nullptr;
    if (failed.refusal) refusal = name_of(*failed.refusal);
    return fact("ask_failed", {{"step", failed.step}, {"call", failed.call}, {"refusal", refusal}});
  }
  Fact operator()(const BallotsTaken& taken) const {
    Json ballots = Json::array();
    for (std::size_t i = 0; i < taken.ballots.size(); ++i) {
      const auto& ballot = taken.ballots[i];
      Json entry{{"i", taken.ordinals[i]}, {"ok", ballot.sound}};
      entry["answer"] = answer_json(ballot.answer);
      if (ballot.relation) {
        entry["relation"] = ballot.relation == Relation::expansion ? "expansion" : "other";
      }
      ballots.push_back(std::move(entry));
    }
    return fact("ballots",
                {{"step", to_text(taken.step)}, {"call", taken.call}, {"ballots", ballots}});
  }
  Fact operator()(const HearingOpened& opened) const {
    Json candidates = Json::array();
    for (const auto& candidate : opened.candidates) candidates.push_back(candidate.text);
    return fact("hearing_opened", {{"item", to_text(opened.item)},
                                   {"reason", name_of(opened.reason)},
                                   {"candidates", candidates}});
  }
  Fact operator()(const RulingTaken& taken) const {
    Json choice = nullptr;
    if (taken.choice) choice = *taken.choice;
    return fact("ruling",
                {{"step", to_text(taken.step)}, {"call", taken.call}, {"choice", choice}});
  }
  Fact operator()(const HearingClosed& closed) const {
    return fact("verdict",
                {{"item", to_text(closed.item)}, {"verdict", name_of_verdict(closed.verdict)}});
  }
  Fact operator()(const DeliveryRefused& refused) const {
    return fact("delivery_refused",
                {{"item", to_text(refused.item)}, {"revision", refused.revision}});
  }
  Fact operator()(const RevisionTaken& taken) const {
    return fact("revision_taken", {{"item", to_text(taken.item)},
                                   {"revision", taken.revision},
                                   {"item_sha256", hex(sha256(taken.written))}});
  }
  Fact operator()(const ItemDecided& decided) const {
    const auto& decision = decided.decision;
    Json route = nullptr;
    if (decision.route) route = name_of(*decision.route);
    return fact("item_decided", {{"item", to_text(decided.item)},
                                 {"revision", decision.revision},
                                 {"outcome", name_of(decision.outcome)},
                                 {"route", route},
                                 {"reasons", codes(decision.reasons)}});
  }
  Fact operator()(const PackageDecided& decided) const {
    return fact("package_decided",
                {{"outcome", name_of(decided.outcome)}, {"reasons", codes(decided.reasons)}});
  }

 private:
  static Json asked(const std::string& step, int call, const std::string& question) {
    return {{"step", step}, {"call", call}, {"question_sha256", hex(sha256(question))}};
  }
};

}  // namespace

Fact fact_of(const Command& command) { return std::visit(FactMaker{}, command); }

Fact answer_fact(const std::string& step, int call, const ModelResponse& response) {
  return fact("answered", {{"step", step},
                           {"call", call},
                           {"status", name_of(response.status)},
                           {"body_sha256", hex(sha256(response.body))}});
}

Fact key_fact(const validators::ItemName& item, int revision, const std::string& commitment) {
  return fact("author_key",
              {{"item", to_text(item)}, {"revision", revision}, {"commitment", commitment}});
}

Fact received_fact(const std::string& body, const std::string& policy, const std::string& games) {
  return fact("package_received", {{"body_sha256", hex(sha256(body))},
                                   {"bytes", body.size()},
                                   {"policy_sha256", hex(sha256(policy))},
                                   {"games_sha256", hex(sha256(games))},
                                   {"flagman", version}});
}

Fact operator_fact(const validators::ItemName& item, const std::string& act, const std::string& who,
                   const std::string& why) {
  return fact("operator_decided",
              {{"item", to_text(item)}, {"act", act}, {"who", who}, {"why", why}});
}

Fact cancelled_fact() { return fact("cancel_asked", Json::object()); }

Fact overdue_fact(const validators::ItemName& item, int revision) {
  return fact("rebuild_overdue", {{"item", to_text(item)}, {"revision", revision}});
}

Fact set_aside_fact(int crashes) { return fact("package_set_aside", {{"crashes", crashes}}); }

}  // namespace flagman::daemon
