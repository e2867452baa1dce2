#include "daemon/recorder.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "daemon/configuration.h"
#include "daemon/version.h"
#include "validators/json.h"

namespace flagman::daemon {
namespace {

using validators::Json;

void record_decisions(RecordedRun& run, const arbiter::RoundState& state) {
  for (const auto& game : state.games) {
    for (std::size_t i = 0; i < game.items.size(); ++i) {
      const auto& item = game.items[i];
      for (std::size_t at = 0; at < item.history.size(); ++at) {
        const auto& decision = item.history[at];
        RecordedDecision recorded;
        recorded.package = state.package;
        recorded.item = {game.kind->name, static_cast<int>(i)};
        recorded.revision = decision.revision;
        recorded.outcome = name_of(decision.outcome);
        for (const auto reason : decision.reasons) recorded.reasons.emplace_back(name_of(reason));
        recorded.key = item.keys_written[at];
        if (decision.route) recorded.route = name_of(*decision.route);
        run.decisions.push_back(std::move(recorded));
      }
    }
  }
}

void write_line(std::ostream& out, const Json& line) {
  // A body that was no UTF-8 is recorded with its bad bytes replaced: it is no package either way.
  out << line.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
}

Json head_of(const RecordedRun& run) {
  Json line;
  line["type"] = "run";
  line["format"] = "flagman.run/1";
  line["flagman"] = version;
  line["started_at"] = run.started_at;
  line["policy"] = Json::parse(to_json(run.policy));
  line["games"] = Json::parse(run.games.written);
  line["prompts"] = Json::object();
  return line;
}

}  // namespace

RecordedRun record_packages(Store& store, const std::vector<std::int64_t>& packages,
                            const Rules& otherwise) {
  RecordedRun run;
  std::string policy;
  for (const auto id : packages) {
    auto record = store.load(id);
    const auto rules = rules_on_record(store, record, otherwise);
    if (policy.empty()) {
      policy = rules.policy_written;
      run.policy = rules.policy;
      run.games = rules.games;
      run.started_at = record.entries.empty()
                           ? to_rfc3339(store.clock())
                           : Json::parse(record.entries.front())["time"].get<std::string>();
    } else if (policy != rules.policy_written || run.games.written != rules.games.written) {
      throw UsageError{"the packages were judged by different rules: " + record.name +
                       ": record it in a run of its own"};
    }
    run.packages.push_back({record.name, record.body});
    for (const auto& call : record.calls) {
      run.calls.emplace(CallName{record.name, call.step, call.call}, call.response);
    }
    for (const auto& act : record.inbox) {
      if (act.kind != "revision" || !act.taken) continue;
      run.rebuilds.emplace(
          RevisionName{record.name, *validators::parse_item_name(act.item), act.revision},
          act.body);
    }
    record_decisions(run, fold_record(std::move(record), rules));
  }
  return run;
}

void write_run(const RecordedRun& run, std::ostream& out) {
  write_line(out, head_of(run));
  for (const auto& package : run.packages) {
    const auto body = validators::parse_json(validators::skip_byte_order_mark(package.body));
    const bool object = body && body->is_object();
    write_line(out, {{"type", "package"},
                     {"package", package.id},
                     {"body", object ? *body : Json(package.body)}});
  }
  for (const auto& [name, response] : run.calls) {
    const auto& [package, step, call] = name;
    write_line(out,
               {{"type", "call"},
                {"package", package},
                {"step", step},
                {"call", call},
                {"response", {{"status", name_of(response.status)}, {"body", response.body}}}});
  }
  for (const auto& [name, written] : run.rebuilds) {
    const auto& [package, item, revision] = name;
    // What was no JSON has no place in this format; null is no item of any kind either.
    const auto data = validators::parse_json(validators::skip_byte_order_mark(written));
    write_line(out, {{"type", "rebuild"},
                     {"package", package},
                     {"item", to_text(item)},
                     {"revision", revision},
                     {"data", data ? *data : Json()}});
  }
  for (const auto& decision : run.decisions) {
    Json line{{"type", "decision"},
              {"package", decision.package},
              {"item", to_text(decision.item)},
              {"revision", decision.revision},
              {"outcome", decision.outcome},
              {"reasons", decision.reasons},
              {"key", Json::parse(decision.key)}};
    if (!decision.route.empty()) line["route"] = decision.route;
    write_line(out, line);
  }
  write_line(out, {{"type", "end"}});
}

}  // namespace flagman::daemon
