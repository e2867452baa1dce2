#include "validators/echo.h"

#include <unordered_map>

#include "validators/text.h"

namespace flagman::validators {

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
      texts.push_back(item->face->text_with_options);
    } else {
      texts.push_back(item->face->text);
    }
  }
  return texts;
}

}  // namespace flagman::validators
