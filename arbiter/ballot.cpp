#include "arbiter/ballot.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <unordered_set>

#include "validators/text.h"

namespace flagman::arbiter {
namespace {

using validators::Answer;
using validators::AnswerForm;
using validators::Json;
using validators::tidy;

bool is_list_of_strings(const Json& value) {
  return value.is_array() && std::all_of(value.begin(), value.end(),
                                         [](const Json& element) { return element.is_string(); });
}

bool has_shape(const Json& answer, AnswerForm form) {
  bool fields = false;
  switch (form) {
    case AnswerForm::soundness:
      fields = has_exactly(answer, {"i", "w", "ok", "why"});
      break;
    case AnswerForm::partner:
      fields = has_exactly(answer, {"i", "w", "ok", "answer", "relation", "why"}) &&
               answer["answer"].is_string() && answer["relation"].is_string();
      break;
    case AnswerForm::sequence:
      fields = has_exactly(answer, {"i", "w", "ok", "answer", "why"}) &&
               is_list_of_strings(answer["answer"]);
      break;
    case AnswerForm::option:
    case AnswerForm::label:
    case AnswerForm::short_text:
      fields =
          has_exactly(answer, {"i", "w", "ok", "answer", "why"}) && answer["answer"].is_string();
      break;
  }
  return fields && answer["i"].is_number_integer() && answer["w"].is_string() &&
         answer["ok"].is_boolean() && answer["why"].is_string();
}

bool is_known_index(const Json& index, std::size_t count) {
  return index.is_number_unsigned() && index.get<std::uint64_t>() < count;
}

std::unordered_set<std::string> tidied(const std::vector<std::string>& texts) {
  std::unordered_set<std::string> forms;
  for (const auto& text : texts) forms.insert(tidy(text));
  return forms;
}

bool is_permutation_of(const Json& answer, const std::vector<std::string>& options) {
  std::multiset<std::string> given, shown;
  for (const auto& step : answer) given.insert(tidy(step.get_ref<const std::string&>()));
  for (const auto& option : options) shown.insert(tidy(option));
  return given == shown;
}

class BallotReader {
 public:
  BallotReader(const BlindSheet& sheet, const std::vector<std::string>& echoes)
      : sheet_(sheet), echoes_(echoes) {
    if (sheet.answer == AnswerForm::partner) game_domain_ = tidied(sheet.right_sides);
    if (sheet.answer == AnswerForm::label) game_domain_ = tidied(sheet.setting.labels);
  }

  // Each check runs over the whole reply before the next: the order of the reasons is the
  // contract's, not that of the answers.
  tl::expected<std::vector<Ballot>, Refusal> read(const Json& reply) {
    if (!has_exactly(reply, {"answers"}) || !reply["answers"].is_array()) {
      return tl::unexpected{Refusal::wrong_shape};
    }
    const auto& answers = reply["answers"];
    for (const auto& answer : answers) {
      if (!has_shape(answer, sheet_.answer)) return tl::unexpected{Refusal::wrong_shape};
    }
    for (const auto& answer : answers) {
      if (!is_known_index(answer["i"], echoes_.size())) {
        return tl::unexpected{Refusal::unknown_index};
      }
    }
    std::map<int, const Json*> by_ordinal;
    for (const auto& answer : answers) {
      if (!by_ordinal.emplace(answer["i"].get<int>(), &answer).second) {
        return tl::unexpected{Refusal::duplicate_index};
      }
    }
    for (const auto& [ordinal, answer] : by_ordinal) {
      if (!echoes(*answer, ordinal)) return tl::unexpected{Refusal::echo_mismatch};
    }
    for (const auto& item : sheet_.items) {
      if (!by_ordinal.contains(item.ordinal)) return tl::unexpected{Refusal::incomplete};
    }
    std::vector<Ballot> ballots;
    ballots.reserve(sheet_.items.size());
    for (const auto& item : sheet_.items) {
      const auto& answer = *by_ordinal.at(item.ordinal);
      if (!in_domain(answer, item)) return tl::unexpected{Refusal::outside_domain};
      ballots.push_back(make_ballot(answer));
    }
    return ballots;
  }

 private:
  [[nodiscard]] bool echoes(const Json& answer, int ordinal) const {
    const auto& text = echoes_[static_cast<std::size_t>(ordinal)];
    return !text.empty() && validators::same_text(answer["w"].get_ref<const std::string&>(), text);
  }

  [[nodiscard]] bool in_domain(const Json& answer, const SheetItem& item) const {
    switch (sheet_.answer) {
      case AnswerForm::soundness:
        return true;
      case AnswerForm::short_text:
        return !tidy(answer["answer"].get_ref<const std::string&>()).empty();
      case AnswerForm::sequence:
        return is_permutation_of(answer["answer"], item.options);
      case AnswerForm::option:
        return tidied(item.options).contains(tidy(answer["answer"].get_ref<const std::string&>()));
      case AnswerForm::partner: {
        const auto& relation = answer["relation"].get_ref<const std::string&>();
        if (relation != "expansion" && relation != "other") return false;
        break;
      }
      case AnswerForm::label:
        break;
    }
    return game_domain_.contains(tidy(answer["answer"].get_ref<const std::string&>()));
  }

  [[nodiscard]] Ballot make_ballot(const Json& answer) const {
    Ballot ballot;
    ballot.sound = answer["ok"].get<bool>();
    ballot.why = answer["why"].get<std::string>();
    if (sheet_.answer == AnswerForm::sequence) {
      ballot.answer = answer["answer"].get<std::vector<std::string>>();
    } else if (sheet_.answer != AnswerForm::soundness) {
      ballot.answer = answer["answer"].get<std::string>();
    }
    if (sheet_.answer == AnswerForm::partner) {
      ballot.relation = answer["relation"] == "expansion" ? Relation::expansion : Relation::other;
    }
    return ballot;
  }

  const BlindSheet& sheet_;
  const std::vector<std::string>& echoes_;
  std::unordered_set<std::string> game_domain_;
};

}  // namespace

tl::expected<std::vector<Ballot>, Refusal> parse_ballots(const ModelResponse& response,
                                                         const BlindSheet& sheet,
                                                         const std::vector<std::string>& echoes) {
  const auto reply = open_reply(response);
  if (!reply) return tl::unexpected{reply.error()};
  return BallotReader{sheet, echoes}.read(*reply);
}

}  // namespace flagman::arbiter
