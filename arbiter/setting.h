#pragma once
// The setting: what every question to a model says about the package and the game.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "validators/json.h"

namespace flagman::arbiter {

/// What every question to a model says about the package and the game.
struct Setting {
  std::string topic, subject, language;
  std::optional<int> grade;
  std::string kind;
  std::map<std::string, std::string> texts;  // the game's shared texts, for instance the rule
  std::vector<std::string> labels;
};

/// The setting as the first members of a question's JSON.
[[nodiscard]] validators::Json to_json_value(const Setting& setting);

}  // namespace flagman::arbiter
