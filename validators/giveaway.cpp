#include "validators/giveaway.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "validators/patterns.h"
#include "validators/scan.h"
#include "validators/text.h"
#include "validators/utf8.h"
#include "validators/words.h"

namespace flagman::validators {
namespace {

// What says of an answer that it is right or wrong; patterns run over caseless texts.
const std::string verdict_words{
    R"((?:не ?)?(?:верн|правильн)(?:о|ый|ая|ое|ые)(?: (?:ответ|вариант))?|)"
    R"((?:in)?correct(?: (?:answer|option))?|right(?: (?:answer|option))?|)"
    R"(wrong(?: (?:answer|option))?)"};

// In brackets these say so too; behind a dash they may be the other half of an analogy («замок —
// ключ»).
const std::string remark_words = verdict_words + "|ответ|ключ|true|false|answer|key";

int letters_in(std::string_view text) {
  int letters = 0;
  for (std::size_t at = 0; at < text.size();) {
    const UChar32 c = next_point(text, at);
    letters += c >= 0 && u_isalpha(c) != 0 ? 1 : 0;
  }
  return letters;
}

bool ends_with_stop(std::string_view tidied) {
  return tidied.ends_with('.') && !tidied.ends_with("..");
}

bool is_any_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_listing_sign(char c) { return c == ',' || c == ';' || c == '/' || c == '|'; }

// The nearest word of a text that stands before, or behind, a phrase.
std::string_view last_word(std::string_view text) {
  auto end = text.size();
  while (end > 0 && !word_character_before(text, end)) previous_point(text, end);
  auto begin = end;
  while (begin > 0 && word_character_before(text, begin)) previous_point(text, begin);
  return text.substr(begin, end - begin);
}
std::string_view first_word(std::string_view text) {
  std::size_t begin = 0;
  while (begin < text.size() && !word_character_at(text, begin)) next_point(text, begin);
  auto end = begin;
  while (end < text.size() && word_character_at(text, end)) next_point(text, end);
  return text.substr(begin, end - begin);
}

// «москва или казань», «кот, пёс, дом»: the phrase is one of several that the text offers.
bool in_enumeration(std::string_view text, std::size_t begin, std::size_t end) {
  auto before = text.substr(0, begin);
  auto after = text.substr(end);
  if (before.ends_with(' ')) before.remove_suffix(1);
  if (after.starts_with(' ')) after.remove_prefix(1);
  if (!before.empty() && is_listing_sign(before.back())) return true;
  if (!after.empty() && is_listing_sign(after.front())) return true;
  const auto is_or = [](std::string_view word) { return is_any_of(word, {"или", "либо", "or"}); };
  return is_or(last_word(before)) || is_or(first_word(after));
}

// Stands there as whole words, and nowhere in an enumeration. Both texts are caseless.
bool tells(std::string_view question, std::string_view answer) {
  auto at = find_whole_words(question, answer);
  if (!at) return false;
  for (; at; at = find_whole_words(question, answer, *at + 1)) {
    if (in_enumeration(question, *at, *at + answer.size())) return false;
  }
  return true;
}

// «стеклянный (верно)».
bool has_remark_hint(std::string_view caseless_text) {
  static const Pattern remark{R"(\S.*[(\[{]\s*(?:это )?(?:)" + remark_words + R"()[!.]?\s*[)\]}])"};
  return remark.find(caseless_text).has_value();
}

// A verdict has one of these in it, however its first letter is written; most texts have none.
bool may_speak_a_verdict(std::string_view text) {
  constexpr std::array parts{"ерн",    "ЕРН",  "равильн", "РАВИЛЬН", "orrect",
                             "ORRECT", "ight", "IGHT",    "rong",    "RONG"};
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) {
    return text.find(part) != std::string_view::npos;
  });
}

// «стеклянный — правильный ответ».
bool has_trailing_hint(std::string_view caseless_text) {
  static const Pattern trailing{R"([\pL\pN»").!?]\s*(?:[—–:]|\s-|←|<-|=>|->|→)\s*(?:это )?(?:)" +
                                verdict_words + R"()[!.]?$)"};
  return trailing.find(caseless_text).has_value();
}

bool has_hint_sign(std::string_view text) {
  static const Pattern signs{"[✓✔☑✅✗✘❌❎☒⭐★☆]"};
  return signs.find(text).has_value();
}

bool has_star(std::string_view tidied) {
  static const Pattern star{R"re(^[*+]\s*\pL\pL|\pL\pL[.!?»")]*\s*[*+]$)re"};
  return star.find(tidied).has_value();
}

bool means_all(std::string_view caseless_text) {
  static const Pattern all{
      R"((?:все|всё) (?:(?:пере|выше ?пере|ниже ?пере)численн(?:ое|ые)|)"
      R"((?:варианты|ответы)(?: ответов| ответа)?|(?:из )?(?:выше|пере)\pL+|)"
      R"(эти (?:варианты|ответы|слова)))"
      R"((?: (?:выше|верн[оы]|верные|правильн[оы]|правильные|подходят|варианты|ответы))*)"
      R"(|(?:верн[оы]|правильн[оы]) (?:все|всё|оба)(?: (?:варианта|варианты|ответа|ответы))?)"
      R"(|оба (?:варианта|ответа)(?: (?:верн[оы]|правильн[оы]|подходят))?)"
      R"(|(?:ничего|ни один|ни одно|ни одна|ни одного)(?: (?:вариант|ответ|слово))? (?:из )?)"
      R"((?:выше|ниже)?(?:перечисленн|указанн|названн|предложенн|этих|вариантов|ответов|)"
      R"(вышеперечисленн|нижеперечисленн)\pL*(?: (?:вариантов|ответов|слов))?)"
      R"(|нет (?:верн|правильн)(?:ого|ых) (?:ответа|ответов|варианта|вариантов))"
      R"(|(?:верного|правильного) ответа нет)"
      R"(|(?:all|none|both|any|neither) of (?:the above|these|them|the options|the answers))"
      R"(|all (?:answers|options) are (?:correct|right)|no (?:correct|right) answer)"
      // «А и Б» alone may be two letters, «1 и 2» two numbers.
      R"(|(?:верны |верно |и |both )[абвгabcd1-4]\)? (?:и|and) [абвгabcd1-4]\)?)"
      R"(|[абвгabcd1-4]\) (?:и|and) [абвгabcd1-4]\)|[абвгabcd1-4] (?:и|and) [абвгabcd1-4] верны)"};
  if (ends_with_stop(caseless_text)) caseless_text.remove_suffix(1);
  return all.matches(caseless_text);
}

// «все …», «ни один …», «а и б»: what `means_all` may match begins so.
bool may_mean_all(std::string_view caseless_text) {
  constexpr std::array beginnings{"все ",    "всё ",     "верн", "правильн", "оба ",
                                  "ничего ", "ни ",      "нет ", "all ",     "none ",
                                  "both ",   "neither ", "any ", "no ",      "и "};
  auto second = std::size_t{0};
  next_point(caseless_text, second);
  const auto behind_first = caseless_text.substr(second);
  return behind_first.starts_with(' ') || behind_first.starts_with(')') ||
         std::any_of(beginnings.begin(), beginnings.end(), [&](std::string_view beginning) {
           return caseless_text.starts_with(beginning);
         });
}

class OptionsCheck {
 public:
  OptionsCheck(const std::vector<SeenText>& options, std::size_t right)
      : options_(options), right_(right) {}

  [[nodiscard]] std::optional<std::string> run(const SeenText& question) const {
    if (auto hint = find_hint()) return hint;
    if (const auto* all = find_all_of_them()) {
      return quoted(*all) + " says nothing when the options are shuffled";
    }
    if (told_in(question)) return "the question names the right option alone: " + quoted(right());
    return find_form();
  }

 private:
  [[nodiscard]] const SeenText& right() const { return options_[right_]; }

  static std::string quoted(const SeenText& option) {
    return "«" + std::string{option.written()} + "»";
  }

  [[nodiscard]] std::optional<std::string> find_hint() const {
    std::uint32_t any = 0;
    for (const auto& option : options_) any |= option.seen().traits;
    if ((any & (has_bracket | has_pointer | has_sign | has_uncommon)) == 0) return std::nullopt;
    std::size_t trailing = 0;
    std::size_t signs = 0;
    for (const auto& option : options_) {
      if (option.may_have(has_bracket) && has_remark_hint(caseless(option))) {
        return "a hint mark in " + quoted(option);
      }
      const bool trails = option.may_have(has_pointer | has_uncommon) &&
                          may_speak_a_verdict(option.tidied()) &&
                          has_trailing_hint(caseless(option));
      trailing += trails ? 1U : 0U;
      signs += option.may_have(has_uncommon) && has_hint_sign(option.written()) ? 1U : 0U;
    }
    // Where every option has one, they are the answers: «А — верно, Б — неверно».
    if (trailing > 0 && trailing < options_.size()) return "a hint behind some of the options";
    if (signs > 0 && signs < options_.size()) return "a hint mark on some of the options";
    const auto stars = [](const SeenText& option) {
      return option.may_have(has_sign) && has_star(option.tidied());
    };
    if (right_alone(stars))
      return "a mark on the right option alone, or on all others: " + quoted(right());
    return std::nullopt;
  }

  [[nodiscard]] const SeenText* find_all_of_them() const {
    for (const auto& option : options_) {
      if (!option.may_have(has_space | has_uncommon)) continue;
      const auto form = caseless(option);
      if (may_mean_all(form) && means_all(form)) return &option;
    }
    return nullptr;
  }

  [[nodiscard]] bool told_in(const SeenText& question) const {
    constexpr int letters_min = 4;
    if (right().points() < letters_min || question.points() < right().points()) {
      return false;
    }
    const auto asked = caseless(question);
    const auto answer = caseless(right());
    if (!tells(asked, answer) || letters_in(answer) < letters_min) return false;
    return std::none_of(options_.begin(), options_.end(), [&](const SeenText& option) {
      return &option != &right() && find_whole_words(asked, caseless(option));
    });
  }

  // The right option has it and no other, or lacks it and every other has it.
  template <typename Property>
  [[nodiscard]] bool right_alone(Property property) const {
    const auto count =
        static_cast<std::size_t>(std::count_if(options_.begin(), options_.end(), property));
    return property(right()) ? count == 1 : count + 1 == options_.size();
  }

  static bool has_gap(const SeenText& option) { return option.has_gap(); }
  static bool has_stop(const SeenText& option) { return ends_with_stop(option.tidied()); }

  [[nodiscard]] std::optional<std::string> find_form() const {
    if (options_.size() < 3) return std::nullopt;
    if (right_alone(has_gap)) {
      return "the right option alone has a gap, or has none: " + quoted(right());
    }
    if (right_alone(has_stop)) {
      return "the right option alone ends with a full stop, or without: " + quoted(right());
    }
    if (differs_in_length()) {
      return "the right option alone is by far the longest, or the shortest: " + quoted(right());
    }
    return std::nullopt;
  }

  [[nodiscard]] bool differs_in_length() const {
    constexpr std::size_t points_more = 20;
    constexpr std::size_t times = 2;
    const auto own = right().points();
    bool longest = true;
    bool shortest = true;
    for (const auto& option : options_) {
      if (&option == &right()) continue;
      const auto other = option.points();
      longest = longest && own >= other + points_more && own >= times * other;
      shortest = shortest && other >= own + points_more && other >= times * own;
    }
    return longest || shortest;
  }

  const std::vector<SeenText>& options_;
  std::size_t right_;
};

// What stands in brackets at the end of a caseless text, behind something else.
std::optional<std::string_view> closing_remark(std::string_view text) {
  static const Pattern remark{R"re(\S.*([(\[]\s*([^()\[\]]+?)\s*[)\]])\s*[.!]?$)re"};
  std::string_view inside;
  if (!remark.find(text, &inside)) return std::nullopt;
  return inside;
}

bool is_answer_word(std::string_view remark) {
  static const Pattern words{
      remark_words +
      R"(|ложь|ложно|неправда|правда|истина|lie|truth|catch|skip|ловить|пропустить)"};
  return words.matches(remark);
}

// The number that a step begins with: «2. …», «Шаг 2 …».
std::optional<int> step_number(std::string_view caseless_text) {
  static const Pattern numbered{R"(^((?:(?:шаг|step) (\d{1,2})|(\d{1,2})\s?[.):]))(?:\PN|$))"};
  static const Pattern digits{R"((\d{1,2}))"};
  const auto found = numbered.find(caseless_text);
  if (!found) return std::nullopt;
  const auto number = digits.find(*found);
  int value = 0;
  for (const char c : *number) value = value * 10 + (c - '0');
  return value;
}

}  // namespace

std::optional<std::string> find_told_option(const SeenText& question,
                                            const std::vector<SeenText>& options,
                                            std::size_t right) {
  return OptionsCheck{options, right}.run(question);
}

std::optional<std::string> find_told_label(const SeenText& text, std::string_view label,
                                           const GameKind& kind, const GameTerms& terms) {
  constexpr int letters_min = 3;
  // Fixed labels are words of the program, not of the lesson.
  // A label of several words stands in no text of one.
  const bool may_name = !kind.labels_field.empty() && text.written().size() > label.size() &&
                        (text.may_have(has_space | has_untidy | has_uncommon) ||
                         label.find(' ') == std::string_view::npos);
  const bool may_remark = text.may_have(has_bracket);
  if (!may_name && !may_remark) return std::nullopt;
  const auto form = caseless(text);
  const auto key = caseless(label);
  if (may_remark) {
    if (const auto remark = closing_remark(form)) {
      const auto filling = terms.fillings.find(tidy(label));
      const bool is_filling =
          filling != terms.fillings.end() && *remark == caseless(filling->second);
      if (*remark == key || is_filling || is_answer_word(*remark)) {
        return "a remark tells the answer: «" + std::string{*remark} + "»";
      }
    }
  }
  if (!may_name || form == key || !find_whole_words(form, key)) return std::nullopt;
  if (letters_in(key) < letters_min) return std::nullopt;
  const bool names_another =
      std::any_of(terms.labels.begin(), terms.labels.end(), [&](const std::string& known) {
        const auto other = caseless(known);
        return other != key && find_whole_words(form, other);
      });
  if (names_another) return std::nullopt;
  return "the text names its own label: «" + std::string{label} + "»";
}

std::optional<std::string> find_told_answer(const SeenText& question, const SeenText& answer) {
  constexpr int letters_min = 3;
  if (answer.points() < letters_min || question.points() < answer.points()) return std::nullopt;
  const auto key = caseless(answer);
  if (letters_in(key) < letters_min || !tells(caseless(question), key)) return std::nullopt;
  return "the question holds its answer: «" + std::string{answer.written()} + "»";
}

std::optional<std::string> find_numbering(const std::vector<SeenText>& steps) {
  std::optional<int> before;
  for (const auto& step : steps) {
    if (!step.may_have(has_digit | has_uncommon)) return std::nullopt;
    const auto number = step_number(caseless(step));
    if (!number || (before && *number != *before + 1)) return std::nullopt;
    before = number;
  }
  if (!before) return std::nullopt;
  return "the steps are numbered in their order";
}

}  // namespace flagman::validators
