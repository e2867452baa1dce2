#include "daemon/replay.h"

#include <deque>
#include <utility>

#include "validators/digest.h"
#include "validators/read_package.h"

namespace flagman::daemon {
namespace {

using namespace arbiter;

// A replay has no randomness: a salt that anybody can compute hides nothing, and need not, since
// the keys lie open in the run beside it.
std::string replay_salt(const std::string& package, const validators::ItemName& item,
                        int revision) {
  const auto digest = validators::sha256("flagman.replay-salt/1\n" + package + "\n" +
                                         to_text(item) + "@" + std::to_string(revision));
  return {digest.begin(), digest.end()};
}

class Replay {
 public:
  Replay(const RecordedRun& run, const RecordedPackage& package, const GameRules& rules,
         ModelPort& models, const Observer& observer, ReplayedPackage& result)
      : run_(run),
        package_(package),
        rules_(rules),
        models_(models),
        observer_(observer),
        result_(result) {}

  void go(const std::vector<Command>& commands) {
    result_.journal.append(received_fact(package_.body, to_json(run_.policy), rules_.written));
    for (const auto& game : result_.state.games) {
      for (std::size_t i = 0; i < game.items.size(); ++i) {
        journal_key({game.kind->name, static_cast<int>(i)}, 1, game.items[i].item.key_written());
      }
    }
    carry_out(commands);
    while (!events_.empty()) {
      const Event event = std::move(events_.front());
      events_.pop_front();
      if (observer_) observer_(event, result_.state);
      carry_out(apply(result_.state, event));
    }
  }

  void operator()(const AskSolver& ask) {
    const auto step = to_text(ask.step);
    if (auto response = answer(step, ask.call, to_json(ask.sheet))) {
      events_.emplace_back(SolverAnswered{ask.step, ask.call, std::move(*response)});
    } else {
      events_.emplace_back(SolverNotRecorded{ask.step});
    }
  }

  void operator()(const AskArbiter& ask) {
    const auto step = to_text(ask.step);
    if (auto response = answer(step, ask.call, to_json(ask.question))) {
      events_.emplace_back(ArbiterAnswered{ask.step, ask.call, std::move(*response)});
    } else {
      events_.emplace_back(ArbiterNotRecorded{ask.step});
    }
  }

  void operator()(const RequestRebuild& request) {
    const auto& brief = request.brief;
    const auto found = run_.rebuilds.find(RevisionName{package_.id, brief.item, brief.revision});
    if (found == run_.rebuilds.end()) {
      events_.emplace_back(RevisionNotRecorded{brief.item});
    } else {
      events_.emplace_back(RevisionDelivered{brief.item, brief.revision, found->second});
    }
  }

  void operator()(const RevisionTaken& taken) {
    const auto* progress = find_item(result_.state, taken.item);
    const auto& item = progress->next ? *progress->next : progress->item;
    journal_key(taken.item, taken.revision, item.key_written());
  }

  // The rest is for the record alone.
  template <typename Other>
  void operator()(const Other&) const {}

 private:
  void carry_out(const std::vector<Command>& commands) {
    for (const auto& command : commands) {
      result_.journal.append(fact_of(command));
      if (observer_) observer_(command, result_.state);
      std::visit(*this, command);
    }
  }

  std::optional<ModelResponse> answer(const std::string& step, int call, std::string question) {
    auto response = models_.ask({package_.id, step, call, std::move(question)});
    if (response) {
      result_.journal.append(answer_fact(step, call, *response));
    } else {
      result_.missing.push_back("step " + step + " call " + std::to_string(call));
    }
    return response;
  }

  void journal_key(const validators::ItemName& item, int revision, const std::string& key) {
    const auto commitment = key_commitment(replay_salt(package_.id, item, revision), key);
    result_.journal.append(key_fact(item, revision, validators::hex(commitment)));
  }

  const RecordedRun& run_;
  const RecordedPackage& package_;
  const GameRules& rules_;
  ModelPort& models_;
  const Observer& observer_;
  ReplayedPackage& result_;
  std::deque<Event> events_;
};

}  // namespace

ReplayedPackage replay_package(const RecordedRun& run, const RecordedPackage& package,
                               const GameRules& games, ModelPort& models,
                               const Observer& observer) {
  const auto& rules = run.games.kinds ? run.games : games;
  auto reading = validators::read_package(package.body, rules.kinds, check_policy(run.policy));
  auto findings = reading.findings;
  auto start = start_package(std::move(reading), package.id, run.policy);
  const auto time = run.started_at.empty() ? "1970-01-01T00:00:00Z" : run.started_at;
  ReplayedPackage result{std::move(start.state),
                         std::move(findings),
                         MemoryJournal{package.id, package.body, time},
                         {}};
  Replay{run, package, rules, models, observer, result}.go(start.commands);
  return result;
}

}  // namespace flagman::daemon
