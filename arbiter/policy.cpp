#include "arbiter/policy.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>

namespace flagman::arbiter {
namespace {

using validators::Json;
using Problem = std::string;  // empty: none

Problem read_whole(const Json& value, int least, int& target) {
  constexpr int largest = 1'000'000;
  if (!value.is_number_integer() || value.get<std::int64_t>() < least ||
      value.get<std::int64_t>() > largest) {
    return "should be a whole number from " + std::to_string(least) + " to " +
           std::to_string(largest);
  }
  target = value.get<int>();
  return {};
}

// A value that is one of two words.
template <typename Choice>
Problem read_choice(const Json& value, const char* first, Choice if_first, const char* second,
                    Choice if_second, Choice& target) {
  if (value == first) {
    target = if_first;
  } else if (value == second) {
    target = if_second;
  } else {
    return "should be \"" + std::string{first} + "\" or \"" + second + "\"";
  }
  return {};
}

Problem read_names(const Json& value, std::vector<std::string>& target) {
  if (!value.is_array()) return "should be a list of names";
  std::vector<std::string> names;
  for (const auto& name : value) {
    if (!name.is_string() || name.get<std::string>().empty()) return "should be a list of names";
    names.push_back(name.get<std::string>());
  }
  target = std::move(names);
  return {};
}

Problem read_solvers(const Json& value, std::vector<std::string>& target) {
  if (auto problem = read_names(value, target); !problem.empty()) return problem;
  if (std::set<std::string>(target.begin(), target.end()).size() != target.size()) {
    return "should name each solver once";
  }
  if (target.size() < 2) return "should name at least two solvers";
  return {};
}

Problem read_authority(const Json& value, Authority& target) {
  if (!value.is_object()) return "should be an object";
  for (const auto& [name, member] : value.items()) {
    if (name == "short_answers") {
      if (!member.is_boolean()) return "`short_answers` should be true or false";
      target.short_answers = member.get<bool>();
    } else if (name == "dictionary") {
      if (member.is_boolean()) {
        target.dictionary = member.get<bool>();
      } else if (!read_names(member, target.dictionary_kinds).empty()) {
        return "`dictionary` should be true, false or a list of kinds";
      }
    } else {
      return "has an unknown field «" + name + "»";
    }
  }
  return {};
}

Problem read_near_duplicate(const Json& value, double& target) {
  if (!value.is_number() || value.get<double>() < 0 || value.get<double>() > 1) {
    return "should be a number from 0 to 1";
  }
  target = value.get<double>();
  return {};
}

Problem read_field(const std::string& name, const Json& value, Policy& policy) {
  if (name == "solvers") return read_solvers(value, policy.solvers);
  if (name == "arbiter_orders") {
    return read_choice(value, "both", ArbiterOrders::both, "single", ArbiterOrders::single,
                       policy.arbiter_orders);
  }
  if (name == "max_rounds") return read_whole(value, 1, policy.max_rounds);
  if (name == "gap_max") return read_whole(value, 0, policy.gap_max);
  if (name == "sheet_max") return read_whole(value, 1, policy.sheet_max);
  if (name == "authority") return read_authority(value, policy.authority);
  if (name == "near_duplicate") return read_near_duplicate(value, policy.near_duplicate);
  if (name == "after_last_round") {
    return read_choice(value, "reject", AfterLastRound::reject, "review", AfterLastRound::review,
                       policy.after_last_round);
  }
  return "is an unknown field";
}

}  // namespace

tl::expected<Policy, std::string> parse_policy(const Json& value) {
  if (!value.is_object()) return tl::unexpected{std::string{"policy should be an object"}};
  Policy policy;
  for (const auto& [name, member] : value.items()) {
    if (auto problem = read_field(name, member, policy); !problem.empty()) {
      problem.insert(0, "policy field «" + name + "» ");
      return tl::unexpected{std::move(problem)};
    }
  }
  return policy;
}

std::string to_json(const Policy& policy) {
  const auto& authority = policy.authority;
  Json value;
  value["solvers"] = policy.solvers;
  value["arbiter_orders"] = policy.arbiter_orders == ArbiterOrders::both ? "both" : "single";
  value["max_rounds"] = policy.max_rounds;
  value["gap_max"] = policy.gap_max;
  value["sheet_max"] = policy.sheet_max;
  value["authority"]["short_answers"] = authority.short_answers;
  if (authority.dictionary_kinds.empty()) {
    value["authority"]["dictionary"] = authority.dictionary;
  } else {
    value["authority"]["dictionary"] = authority.dictionary_kinds;
  }
  value["near_duplicate"] = policy.near_duplicate;
  value["after_last_round"] =
      policy.after_last_round == AfterLastRound::reject ? "reject" : "review";
  return value.dump();
}

validators::CheckPolicy check_policy(const Policy& policy) {
  return {.gap_max = policy.gap_max, .near_duplicate = policy.near_duplicate};
}

}  // namespace flagman::arbiter
