#include "validators/echo.h"

#include <nlohmann/json.hpp>
#include <unordered_map>

#include "validators/text.h"

namespace flagman::validators {

namespace {

// The options in the author's order, which shows where each stands and not which is right.
std::string text_with_options(const GameKind& kind, const Item& item) {
  std::string text = item.face->text;
  const char* separator = " | ";
  for (const auto& option : item.source->at(kind.options_field)) {
    text += separator;
    text += option.get_ref<const std::string&>();
  }
  return text;
}

}  // namespace

std::vector<std::string> echo_texts(const GameKind& kind, const std::vector<const Item*>& items) {
  std::unordered_map<std::string, int> times;
  const bool may_repeat = kind.echo == EchoForm::text_and_options_where_repeated;
  if (may_repeat) {
    for (const auto* item : items) {
      if (item->face) ++times[tidy(item->face->text)];
    }
  }
  std::vector<std::string> texts;
  texts.reserve(items.size());
  for (const auto* item : items) {
    if (!item->face) {
      texts.emplace_back();
    } else if (may_repeat && times[tidy(item->face->text)] > 1) {
      texts.push_back(text_with_options(kind, *item));
    } else {
      texts.push_back(item->face->text);
    }
  }
  return texts;
}

}  // namespace flagman::validators
