#include "arbiter/setting.h"

#include <nlohmann/json.hpp>

namespace flagman::arbiter {

using validators::Json;

Json to_json_value(const Setting& setting) {
  Json value;
  value["kind"] = setting.kind;
  value["topic"] = setting.topic;
  value["subject"] = setting.subject;
  value["grade"] = setting.grade ? Json(*setting.grade) : Json(nullptr);
  value["language"] = setting.language;
  for (const auto& [name, text] : setting.texts) value["game"][name] = text;
  if (!setting.labels.empty()) value["labels"] = setting.labels;
  return value;
}

}  // namespace flagman::arbiter
