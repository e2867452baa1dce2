#include "arbiter/rebuild_brief.h"

#include <nlohmann/json.hpp>
#include <string_view>

#include "validators/json.h"

namespace flagman::arbiter {
namespace {

using validators::Json;

std::string_view instruction(const std::string& language) {
  if (language.starts_with("en")) {
    return "The key was not changed. Build this item anew and check it yourself.";
  }
  return "Ключ не изменён. Постройте это задание заново и проверьте его сами.";
}

Json parsed(const std::string& written) {
  // Written by the package reader from a parsed value: it reads back.
  return Json::parse(written);
}

}  // namespace

std::string to_json(const RebuildBrief& brief) {
  Json value;
  value["format"] = "flagman.rebuild/1";
  value["package"] = brief.package;
  value["item"] = to_text(brief.item);
  value["revision"] = brief.revision;
  value["kind"] = brief.item.kind;
  value["topic"] = brief.topic;
  value["subject"] = brief.subject;
  value["grade"] = brief.grade ? Json(*brief.grade) : Json(nullptr);
  value["language"] = brief.language;
  value["game"] = parsed(brief.game);
  value["current"] = parsed(brief.current);
  value["neighbours"] = brief.neighbours;
  value["findings"] = Json::array();
  for (const auto& finding : brief.findings) {
    value["findings"].push_back({{"code", name_of(finding.code)}, {"place", finding.place}});
  }
  value["instruction"] = instruction(brief.language);
  return value.dump();
}

}  // namespace flagman::arbiter
