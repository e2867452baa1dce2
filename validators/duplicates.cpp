#include "validators/duplicates.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

#include "validators/expansion.h"
#include "validators/text.h"

namespace flagman::validators {
namespace {

// What two items share when a pupil would call them the same.
std::string identity(const Item& item) {
  std::string id = fold(item.face->text);
  std::vector<std::string> options;
  for (const auto& option : item.face->options) options.push_back(fold(option));
  std::sort(options.begin(), options.end());
  for (const auto& option : options) {
    id += '\0';
    id += option;
  }
  return id;
}

bool same_key(const GameKind& kind, const AuthorKey& one, const AuthorKey& other) {
  switch (kind.answer) {
    case AnswerForm::soundness:
      return true;
    case AnswerForm::sequence: {
      const auto& left = std::get<std::vector<std::string>>(one.answer());
      const auto& right = std::get<std::vector<std::string>>(other.answer());
      return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                        [](const auto& a, const auto& b) { return fold(a) == fold(b); });
    }
    case AnswerForm::option:
    case AnswerForm::label:
    case AnswerForm::partner:
    case AnswerForm::short_text:
      break;
  }
  return fold(std::get<std::string>(one.answer())) == fold(std::get<std::string>(other.answer()));
}

class Search {
 public:
  Search(const GameKind& kind, const std::vector<DuplicateSubject>& items)
      : kind_(kind), items_(items) {}

  std::vector<Finding> run() {
    std::unordered_map<std::string, std::vector<std::size_t>> groups;
    std::vector<std::string> identities(items_.size());
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (!items_[i].item->well_formed()) continue;
      identities[i] = identity(*items_[i].item);
      groups[identities[i]].push_back(i);
    }
    for (const auto& [id, members] : groups) compare_group(members);
    if (kind_.answer == AnswerForm::partner) compare_pairs(identities);
    std::vector<Finding> findings;
    findings.reserve(found_.size());
    for (auto& [at, finding] : found_) findings.push_back(std::move(finding));
    return findings;
  }

 private:
  void compare_group(const std::vector<std::size_t>& members) {
    for (std::size_t a = 0; a < members.size(); ++a) {
      for (std::size_t b = a + 1; b < members.size(); ++b) {
        compare(members[a], members[b]);
      }
    }
  }

  void compare(std::size_t first, std::size_t second) {
    if (same_key(kind_, *items_[first].item->key, *items_[second].item->key)) {
      const auto flagged = items_[second].open ? second : first;
      add(Reason::duplicate_item, flagged, flagged == second ? first : second, "the same item as ");
    } else {
      add(Reason::contradictory_keys, first, second, "another key than the same item ");
      add(Reason::contradictory_keys, second, first, "another key than the same item ");
    }
  }

  void compare_pairs(const std::vector<std::string>& identities) {
    struct Pair {
      std::size_t ordinal;
      std::string left, right, folded_right;
    };
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      const auto& item = *items_[i].item;
      if (!item.well_formed()) continue;
      const auto& right = std::get<std::string>(item.key->answer());
      pairs.push_back({i, tidy(item.face->text), tidy(right), fold(right)});
    }
    const FillingPolicy policy{.letters_max = 6, .also = kind_.gap_also};
    const auto fits = [&](const Pair& one, const Pair& other) {
      return check_pair_expansion(one.left, other.right, policy) == Expansion::expands;
    };
    for (std::size_t a = 0; a < pairs.size(); ++a) {
      for (std::size_t b = a + 1; b < pairs.size(); ++b) {
        if (identities[pairs[a].ordinal] == identities[pairs[b].ordinal]) continue;
        const bool same_right = pairs[a].folded_right == pairs[b].folded_right;
        if (!same_right && !(fits(pairs[a], pairs[b]) && fits(pairs[b], pairs[a]))) continue;
        add(Reason::ambiguous_pair, pairs[a].ordinal, pairs[b].ordinal, "fits the right side of ");
        add(Reason::ambiguous_pair, pairs[b].ordinal, pairs[a].ordinal, "fits the right side of ");
      }
    }
  }

  void add(Reason code, std::size_t ordinal, std::size_t other, std::string_view detail) {
    if (!items_[ordinal].open) return;
    const ItemName name{kind_.name, static_cast<int>(ordinal)};
    const ItemName other_name{kind_.name, static_cast<int>(other)};
    found_.try_emplace({ordinal, code}, Finding{code, Severity::flag, name, "",
                                                std::string{detail} + to_text(other_name)});
  }

  const GameKind& kind_;
  const std::vector<DuplicateSubject>& items_;
  std::map<std::pair<std::size_t, Reason>, Finding> found_;
};

}  // namespace

std::vector<Finding> check_duplicates(const GameKind& kind,
                                      const std::vector<DuplicateSubject>& items) {
  return Search{kind, items}.run();
}

}  // namespace flagman::validators
