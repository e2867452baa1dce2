#include "validators/placeholder.h"

#include <string_view>

#include "validators/patterns.h"

namespace flagman::validators {
namespace {

// «{}» and «{0}» are format fields, and in mathematics sets.
bool speaks_of_sets(std::string_view text) {
  static const Pattern set_signs{R"((?i)[=∈∉⊂⊆∪∩∅]|множеств)"};
  return set_signs.find(text).has_value();
}

std::optional<std::string> find_braced(std::string_view text) {
  static const PatternList patterns{
      R"((\{\{[^{}\n]*\pL[^{}\n]*\}\}))",
      R"((\{%[^\n]*?%\}))",
      R"(([$#]\{[^{}\n]*\}))",
      R"((\{\s*(?:[\pL_][\pL\pN_. -]+[\pL\pN_]|id)\s*\}))",
  };
  if (auto found = patterns.find(text)) return found;
  static const Pattern numbered{R"((\{\{[^{}\n]*\}\}|\{\d{0,2}\}))"};
  const auto found = numbered.find(text);
  if (!found || speaks_of_sets(text)) return std::nullopt;
  return std::string{*found};
}

std::optional<std::string> find_bracketed(std::string_view text) {
  static const PatternList patterns{
      R"((\[\[[^\[\]\n]*[\pL_][^\[\]\n]*\]\]))",
      (R"((?i)(\[\s*(?:вставь|вставьте|вставить|впишите|введите|укажите|подставьте|insert|enter|)"
       R"(your|fill in|placeholder|todo|tbd|пропуск|blank)(?:[^\pL\]\n][^\]\n]*)?\]))"),
      // In lower case these are transcriptions of words.
      (R"((\[(?:ИМЯ|СЛОВО|НАЗВАНИЕ|ОТВЕТ|ВОПРОС|ТЕКСТ|ВАРИАНТ|ПРИМЕР|ТЕМА|ЧИСЛО|ДАТА|ГОРОД|NAME|)"
       R"(WORD|ANSWER|QUESTION|TEXT|OPTION|TITLE|TOPIC|EXAMPLE|NUMBER|DATE|GAP)\]))"),
      (R"((?i)(\[(?:имя|слово|название|ответ|вопрос|текст|вариант|пример|тема|число|дата|город|name|)"
       R"(word|answer|question|text|option|title|topic|example|number|date|gap)[ _-]?\d+\]))"),
      R"((\[object Object\]))",
  };
  return patterns.find(text);
}

// «<слово>» and «<your answer>», but not «vector<int>»: what is no Cyrillic must speak of a
// template.
std::optional<std::string> find_named_angle(std::string_view text) {
  static const Pattern named{R"((?:^|[^\pL\pN<])(<([\pL_][\pL\pN_ -]{2,})>))"};
  static const Pattern template_words{
      R"((?i)\p{Cyrillic}|^(?:name|word|answer|question|text|option|title|topic|placeholder|)"
      R"(insert|your)(?:$|[ _-]))"};
  std::string_view inner;
  for (auto rest = text; const auto found = named.find(rest, &inner);) {
    if (template_words.find(inner)) return std::string{*found};
    rest.remove_prefix(static_cast<std::size_t>(found->data() - rest.data()) + found->size());
  }
  return std::nullopt;
}

std::optional<std::string> find_angled(std::string_view text) {
  static const PatternList patterns{
      R"((<%[^\n]*?%>))",
      R"((<<\s*[A-Za-z_][A-Za-z0-9_.-]*\s*>>))",
  };
  if (auto found = patterns.find(text)) return found;
  return find_named_angle(text);
}

std::optional<std::string> find_signed(std::string_view text) {
  static const PatternList patterns{
      R"((?:^|[^\pN])(%[A-Za-zА-Яа-яЁё_][A-Za-zА-Яа-яЁё_0-9]+%))",
      R"((?:^|[^\pL\pN%])(%(?:\d+\$|\([A-Za-z_][A-Za-z0-9_]*\))?[sd])(?:$|[^\pL\pN]))",
      R"((@@[\pL_][\pL\pN_]*@@))",
      R"((##[\pL_][\pL\pN_]*##))",
      R"((__[A-Z][A-Z0-9_]*[A-Z0-9]__))",
  };
  return patterns.find(text);
}

std::optional<std::string> find_spoken(std::string_view text) {
  static const PatternList patterns{
      R"((?:^|[^\pL\pN_])(TODO|TBD|FIXME)(?:$|[^\pL\pN_]))",
      R"((?i)(lorem ipsum))",
  };
  return patterns.find(text);
}

bool has(std::string_view text, std::string_view phrase) {
  return text.find(phrase) != std::string_view::npos;
}

}  // namespace

std::optional<std::string> find_placeholder(std::string_view text) {
  std::optional<std::string> found;
  if (has(text, "{")) found = find_braced(text);
  if (!found && has(text, "[")) found = find_bracketed(text);
  if (!found && has(text, "<")) found = find_angled(text);
  const bool may_be_signed =
      has(text, "%") || has(text, "@@") || has(text, "##") || has(text, "__");
  if (!found && may_be_signed) found = find_signed(text);
  const bool may_speak = has(text, "TODO") || has(text, "TBD") || has(text, "FIXME") ||
                         has(text, "orem") || has(text, "OREM");
  if (!found && may_speak) found = find_spoken(text);
  return found;
}

}  // namespace flagman::validators
