#include "arbiter/hearing.h"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

#include "arbiter/answer.h"
#include "validators/text.h"
#include "validators/words.h"

namespace flagman::arbiter {
namespace {

using validators::AnswerForm;
using validators::Json;
using validators::tidy;

// The word that a candidate stands for, where the game or the item says which filling it means.
std::string filled_word(const std::string& candidate, bool authors, const validators::Item& item,
                        const validators::GameKind& kind, const validators::GameTerms& terms) {
  if (kind.answer == AnswerForm::label) {
    const auto filling = terms.fillings.find(tidy(candidate));
    if (filling == terms.fillings.end()) return {};
    return validators::word_filled(tidy(item.face->text), filling->second);
  }
  // `asks` is what the right option stands for; it says nothing of the others.
  if (kind.answer == AnswerForm::option && authors && item.asks) {
    return validators::word_filled(tidy(candidate), *item.asks);
  }
  return {};
}

bool names_candidate(const std::string& explanation, const Candidate& candidate) {
  const auto names = [&](const std::string& phrase) {
    return validators::find_whole_words(explanation, validators::caseless(phrase)).has_value();
  };
  return names(candidate.text) || names(candidate.word);
}

bool contradicts(const std::vector<Candidate>& candidates, const Ruling& ruling) {
  const auto explanation = validators::caseless(ruling.why);
  if (names_candidate(explanation, candidates[*ruling.choice])) return false;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (i != *ruling.choice && names_candidate(explanation, candidates[i])) return true;
  }
  return false;
}

}  // namespace

std::vector<Candidate> make_candidates(const validators::Item& item,
                                       const validators::GameKind& kind,
                                       const validators::GameTerms& terms,
                                       const std::vector<Ballot>& ballots, const Policy& policy) {
  std::vector<std::pair<std::string, Candidate>> keyed;
  const auto add = [&](std::string text, bool authors) {
    auto form = tidy(text);
    for (const auto& [known, candidate] : keyed) {
      if (known == form) return;
    }
    auto word = filled_word(text, authors, item, kind, terms);
    keyed.emplace_back(std::move(form), Candidate{std::move(text), std::move(word), authors});
  };
  add(spoken(item.key->answer()), true);
  if (kind.answer == AnswerForm::soundness) add("unsound", false);
  for (const auto& ballot : ballots) {
    if (!equals_key(ballot.answer, *item.key, kind.answer, policy.authority)) {
      add(spoken(ballot.answer), false);
    }
  }
  std::sort(keyed.begin(), keyed.end(),
            [](const auto& one, const auto& other) { return one.first < other.first; });
  std::vector<Candidate> candidates;
  candidates.reserve(keyed.size());
  for (auto& [form, candidate] : keyed) candidates.push_back(std::move(candidate));
  return candidates;
}

HearingQuestion make_question(const Setting& setting, int ordinal, const std::string& echo,
                              const std::string& question, const std::vector<Candidate>& candidates,
                              Order order) {
  HearingQuestion asked{setting, ordinal, echo, question, {}};
  for (const auto& candidate : candidates) asked.candidates.push_back(candidate.text);
  if (order == Order::ba) std::reverse(asked.candidates.begin(), asked.candidates.end());
  return asked;
}

std::string to_json(const HearingQuestion& question) {
  auto value = to_json_value(question.setting);
  value["i"] = question.ordinal;
  value["w"] = question.text;
  if (!question.question.empty()) value["question"] = question.question;
  value["candidates"] = question.candidates;
  return value.dump();
}

tl::expected<Ruling, Refusal> parse_ruling(const ModelResponse& response, int ordinal,
                                           const std::vector<Candidate>& candidates,
                                           const std::vector<std::string>& echoes) {
  const auto reply = open_reply(response);
  if (!reply) return tl::unexpected{reply.error()};
  const auto& value = *reply;
  const bool shaped = has_exactly(value, {"i", "w", "why", "choice"}) &&
                      value["i"].is_number_integer() && value["w"].is_string() &&
                      value["why"].is_string() &&
                      (value["choice"].is_string() || value["choice"].is_null());
  if (!shaped) return tl::unexpected{Refusal::wrong_shape};
  if (!value["i"].is_number_unsigned() || value["i"].get<std::uint64_t>() >= echoes.size()) {
    return tl::unexpected{Refusal::unknown_index};
  }
  const auto named = value["i"].get<std::size_t>();
  const auto& w = value["w"].get_ref<const std::string&>();
  if (echoes[named].empty() || !validators::same_text(w, echoes[named])) {
    return tl::unexpected{Refusal::echo_mismatch};
  }
  if (named != static_cast<std::size_t>(ordinal)) return tl::unexpected{Refusal::incomplete};
  Ruling ruling{std::nullopt, value["why"].get<std::string>()};
  if (value["choice"].is_null()) return ruling;
  const auto& choice = value["choice"].get_ref<const std::string&>();
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (validators::same_text(candidates[i].text, choice)) {
      ruling.choice = i;
      return ruling;
    }
  }
  return tl::unexpected{Refusal::outside_domain};
}

Verdict decide_hearing(const std::vector<Candidate>& candidates,
                       const std::vector<Ruling>& rulings) {
  const auto& first = rulings.front();
  const bool stable = std::all_of(rulings.begin(), rulings.end(), [&](const Ruling& ruling) {
    return ruling.choice == first.choice;
  });
  if (!stable) return Verdict::flag_unstable;
  if (!first.choice) return Verdict::flag_none;
  if (!candidates[*first.choice].authors) return Verdict::flag_disagrees;
  const bool against = std::any_of(rulings.begin(), rulings.end(), [&](const Ruling& ruling) {
    return contradicts(candidates, ruling);
  });
  return against ? Verdict::flag_contradicts_itself : Verdict::uphold;
}

}  // namespace flagman::arbiter
