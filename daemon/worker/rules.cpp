#include "daemon/worker/rules.h"

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "validators/json.h"

namespace flagman::daemon {

using validators::Json;

Rules make_rules(arbiter::Policy policy, GameRules games) {
  auto written = to_json(policy);
  return {std::move(policy), std::move(written), std::move(games)};
}

Rules read_rules(const std::string& policy, const std::string& games) {
  const auto value = validators::parse_json(policy);
  if (!value) throw std::runtime_error{"the policy on record is no JSON"};
  auto parsed = arbiter::parse_policy(*value);
  if (!parsed) throw std::runtime_error{"the policy on record cannot be read: " + parsed.error()};
  auto read = read_game_rules(games);
  if (!read) throw std::runtime_error{"the games on record cannot be read: " + read.error()};
  return {std::move(*parsed), policy, std::move(*read)};
}

RuleDigests rule_digests(const PackageRecord& record) {
  for (const auto& bytes : record.entries) {
    const auto entry = Json::parse(bytes);
    if (entry["kind"] != "package_received") continue;
    const auto& data = entry["data"];
    return {data["policy_sha256"].get<std::string>(), data["games_sha256"].get<std::string>()};
  }
  return {};
}

Rules rules_on_record(Store& store, const PackageRecord& record, const Rules& otherwise) {
  const auto digests = rule_digests(record);
  if (digests.policy.empty()) return otherwise;
  return read_rules(store.setting(digests.policy), store.setting(digests.games));
}

}  // namespace flagman::daemon
