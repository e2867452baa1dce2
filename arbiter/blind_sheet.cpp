#include "arbiter/blind_sheet.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "validators/digest.h"
#include "validators/json.h"
#include "validators/text.h"

namespace flagman::arbiter {

using validators::Json;

std::vector<std::string> shuffled(const std::vector<std::string>& texts) {
  std::vector<std::string> forms;
  forms.reserve(texts.size());
  for (const auto& text : texts) forms.push_back(validators::tidy(text));
  std::vector<std::string> sorted = forms;
  std::sort(sorted.begin(), sorted.end());
  std::string seed;
  for (const auto& form : sorted) {
    seed += form;
    seed += '\0';
  }
  const auto digest = validators::sha256(seed);
  seed.assign(digest.begin(), digest.end());
  struct Ranked {
    validators::Digest rank;
    const std::string* text;
  };
  std::vector<Ranked> ranked;
  ranked.reserve(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    ranked.push_back({validators::sha256(seed + forms[i]), &texts[i]});
  }
  std::sort(ranked.begin(), ranked.end(), [](const Ranked& one, const Ranked& other) {
    return one.rank != other.rank ? one.rank < other.rank : *one.text < *other.text;
  });
  std::vector<std::string> order;
  order.reserve(texts.size());
  for (const auto& [rank, text] : ranked) order.push_back(*text);
  return order;
}

BlindSheet make_blind_sheet(const GameFaces& game, const std::vector<int>& ordinals) {
  BlindSheet sheet;
  sheet.setting = game.setting;
  sheet.answer = game.kind->answer;
  sheet.right_sides = shuffled(game.right_sides);
  sheet.items.reserve(ordinals.size());
  for (const int ordinal : ordinals) {
    const auto at = static_cast<std::size_t>(ordinal);
    const auto& face = *game.faces.at(at);
    sheet.items.push_back({ordinal, game.echoes.at(at), face.question, shuffled(face.options)});
  }
  return sheet;
}

std::string to_json(const BlindSheet& sheet) {
  auto value = to_json_value(sheet.setting);
  if (!sheet.right_sides.empty()) value["right_sides"] = sheet.right_sides;
  value["items"] = Json::array();
  for (const auto& item : sheet.items) {
    Json entry;
    entry["i"] = item.ordinal;
    entry["w"] = item.text;
    if (!item.question.empty()) entry["question"] = item.question;
    if (!item.options.empty()) entry["options"] = item.options;
    value["items"].push_back(std::move(entry));
  }
  return value.dump();
}

}  // namespace flagman::arbiter
