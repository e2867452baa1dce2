#include "validators/relations.h"

#include <string>
#include <utility>

#include "validators/duplicates.h"
#include "validators/near_duplicates.h"

namespace flagman::validators {
namespace {

struct Named {
  const GameKind* kind;
  std::size_t ordinal;
};

ItemName name_of(const Named& item) { return {item.kind->name, static_cast<int>(item.ordinal)}; }

Finding near_finding(const Named& item, const Named& other) {
  return {Reason::near_duplicate_item, Severity::warn, name_of(item), "",
          "nearly the same as " + to_text(name_of(other))};
}

}  // namespace

std::vector<Finding> check_relations(const std::vector<RelatedItems>& games,
                                     const CheckPolicy& policy) {
  std::vector<Named> named;
  std::vector<NearText> texts;
  std::vector<Finding> findings;
  for (std::size_t g = 0; g < games.size(); ++g) {
    const auto& game = games[g];
    std::vector<DuplicateSubject> subjects;
    subjects.reserve(game.items.size());
    for (std::size_t i = 0; i < game.items.size(); ++i) {
      if (!game.items[i]->well_formed()) continue;
      const auto& identity = game.items[i]->identity;
      subjects.push_back({game.items[i], i, game.open[i]});
      if (!game.kind->checks.near_duplicate_item) continue;
      const bool is_options = game.kind->echo == EchoForm::options;  // these are the text itself
      const NearText text{identity.text(), identity.text_points(),
                          is_options ? "" : identity.options(), static_cast<int>(g), game.open[i]};
      if (!long_enough(text)) continue;
      named.push_back({game.kind, i});
      texts.push_back(text);
    }
    for (auto& finding : check_duplicates(*game.kind, subjects, policy.gap_max)) {
      findings.push_back(std::move(finding));
    }
  }
  for (const auto& [reported, other] : find_near_duplicates(texts, policy.near_duplicate)) {
    findings.push_back(near_finding(named[reported], named[other]));
  }
  return findings;
}

}  // namespace flagman::validators
