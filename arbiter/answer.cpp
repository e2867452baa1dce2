#include "arbiter/answer.h"

#include <algorithm>

#include "validators/number.h"
#include "validators/text.h"

namespace flagman::arbiter {
namespace {

using validators::Answer;
using validators::AnswerForm;
using validators::AuthorKey;
using validators::same_text;

bool equals_short(const std::string& answer, const AuthorKey& key, const Authority& authority) {
  const auto equals = [&](const std::string& form) {
    return same_text(answer, form) ||
           (authority.short_answers && validators::same_number(answer, form));
  };
  return equals(std::get<std::string>(key.answer())) ||
         std::any_of(key.accept().begin(), key.accept().end(), equals);
}

}  // namespace

bool equals_key(const Answer& answer, const AuthorKey& key, AnswerForm form,
                const Authority& authority) {
  switch (form) {
    case AnswerForm::soundness:
      return true;
    case AnswerForm::sequence: {
      const auto& given = std::get<std::vector<std::string>>(answer);
      const auto& steps = std::get<std::vector<std::string>>(key.answer());
      return std::equal(given.begin(), given.end(), steps.begin(), steps.end(), same_text);
    }
    case AnswerForm::short_text:
      return equals_short(std::get<std::string>(answer), key, authority);
    case AnswerForm::option:
    case AnswerForm::label:
    case AnswerForm::partner:
      break;
  }
  return same_text(std::get<std::string>(answer), std::get<std::string>(key.answer()));
}

std::string spoken(const Answer& answer) {
  if (const auto* text = std::get_if<std::string>(&answer)) return *text;
  const auto* steps = std::get_if<std::vector<std::string>>(&answer);
  if (steps == nullptr) return "sound";
  std::string joined;
  for (const auto& step : *steps) {
    if (&step != &steps->front()) joined += " → ";
    joined += step;
  }
  return joined;
}

}  // namespace flagman::arbiter
