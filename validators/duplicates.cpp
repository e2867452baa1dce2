#include "validators/duplicates.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "validators/expansion.h"
#include "validators/text.h"

namespace flagman::validators {
namespace {

std::string folded_key(const AuthorKey& key) {
  std::string folded;
  if (const auto* steps = std::get_if<std::vector<std::string>>(&key.answer())) {
    for (const auto& step : *steps) {
      folded += fold(step);
      folded += '\0';
    }
  } else if (const auto* text = std::get_if<std::string>(&key.answer())) {
    folded = fold(*text);
  }
  return folded;
}

// A pair of a game, in the forms that decide whether it fits another one's side.
struct Pair {
  std::size_t index = 0;  // of its subject
  SeenText left, right;
  std::string_view identity;
  std::string_view prefix, suffix;  // of the left side: before its first gap, behind its last
  bool has_gap = false;

  Pair(std::size_t at, const DuplicateSubject& subject)
      : index(at),
        left(subject.item->face->text),
        right(std::get<std::string>(subject.item->key->answer())),
        identity(subject.item->identity.whole()) {}

  // Views into `left` are taken once the pair has come to rest.
  void find_ends() {
    const auto text = left.tidied();
    auto gap = find_gap(text);
    if (!gap) return;
    has_gap = true;
    prefix = text.substr(0, *gap);
    for (; gap; gap = find_gap(text, *gap + gap_spelling.size())) {
      suffix = text.substr(*gap + gap_spelling.size());
    }
  }
};

// Pairs by their right sides, so that those which begin in a given way stand together.
class RightSides {
 public:
  explicit RightSides(const std::vector<Pair>& pairs) {
    sides_.reserve(pairs.size());
    for (const auto& pair : pairs) sides_.emplace_back(pair.right.tidied(), &pair);
    std::sort(sides_.begin(), sides_.end());
  }

  // A pair that could take `left`'s gaps as far as the ends of `left` tell, and for which `fits`
  // holds. No more than `candidates_max` are looked at.
  template <typename Fits>
  [[nodiscard]] const Pair* find(const Pair& left, Fits fits) const {
    const auto first = std::partition_point(
        sides_.begin(), sides_.end(), [&](const Side& side) { return side.first < left.prefix; });
    const auto enough = first + std::min(candidates_max, sides_.end() - first);
    for (auto side = first; side != enough && side->first.starts_with(left.prefix); ++side) {
      if (side->first.ends_with(left.suffix) && fits(*side->second)) return side->second;
    }
    return nullptr;
  }

 private:
  using Side = std::pair<std::string_view, const Pair*>;
  static constexpr std::ptrdiff_t candidates_max = 2000;

  std::vector<Side> sides_;
};

// Groups of indices whose texts are equal, each of two or more, in ascending order.
template <typename TextOf, typename Take>
void each_group(std::size_t count, TextOf text_of, Take take) {
  std::vector<std::pair<std::size_t, std::size_t>> by_hash;
  by_hash.reserve(count);
  const std::hash<std::string_view> hash;
  for (std::size_t i = 0; i < count; ++i) by_hash.emplace_back(hash(text_of(i)), i);
  std::sort(by_hash.begin(), by_hash.end());
  for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
    for (end = begin + 1; end < count && by_hash[end].first == by_hash[begin].first;) ++end;
    if (end - begin < 2) continue;
    std::map<std::string_view, std::vector<std::size_t>> same;
    for (auto i = begin; i < end; ++i) {
      same[text_of(by_hash[i].second)].push_back(by_hash[i].second);
    }
    for (const auto& [text, members] : same) {
      if (members.size() > 1) take(members);
    }
  }
}

class Search {
 public:
  Search(const GameKind& kind, const std::vector<DuplicateSubject>& subjects, int gap_max)
      : kind_(kind), subjects_(subjects), policy_{.letters_max = gap_max, .also = kind.gap_also} {}

  std::vector<Finding> run() {
    compare_identities();
    if (kind_.answer == AnswerForm::partner) compare_pairs();
    std::vector<Finding> findings;
    findings.reserve(found_.size());
    for (auto& [at, finding] : found_) findings.push_back(std::move(finding));
    return findings;
  }

 private:
  // Indices of subjects.
  using Members = std::vector<std::size_t>;

  void compare_identities() {
    each_group(
        subjects_.size(), [&](std::size_t i) { return subjects_[i].item->identity.whole(); },
        [&](const Members& members) { compare_same(members); });
  }

  // `members` are the same item, in ascending order.
  void compare_same(const Members& members) {
    std::map<std::string, Members> by_key;
    for (const auto member : members) {
      by_key[folded_key(*subjects_[member].item->key)].push_back(member);
    }
    for (const auto& [key, same] : by_key) report_repeated(same);
    if (by_key.size() > 1) report_contradictory(members);
  }

  void report_repeated(const Members& same) {
    for (std::size_t i = 1; i < same.size(); ++i) {
      add(Reason::duplicate_item, same[i], same[0], "the same item as ");
    }
    // A settled item stands: whatever open one came before it is the one too many.
    const auto settled = std::find_if(same.begin() + 1, same.end(),
                                      [&](std::size_t at) { return !subjects_[at].open; });
    if (settled == same.end()) return;
    add(Reason::duplicate_item, same[0], *settled, "the same item as ");
  }

  void report_contradictory(const Members& members) {
    const auto key_of = [&](std::size_t at) { return folded_key(*subjects_[at].item->key); };
    const auto first_key = key_of(members[0]);
    const auto stranger = *std::find_if(members.begin(), members.end(),
                                        [&](std::size_t at) { return key_of(at) != first_key; });
    for (const auto member : members) {
      const auto other = key_of(member) == first_key ? stranger : members[0];
      add(Reason::contradictory_keys, member, other, "another key than the same item ");
    }
  }

  void compare_pairs() {
    std::vector<Pair> pairs;
    pairs.reserve(subjects_.size());
    for (std::size_t i = 0; i < subjects_.size(); ++i) pairs.emplace_back(i, subjects_[i]);
    compare_right_sides(pairs);
    bool any_gap = false;
    for (auto& pair : pairs) {
      pair.find_ends();
      any_gap = any_gap || pair.has_gap;
    }
    if (any_gap) compare_fits(pairs);
  }

  // Two pairs with one right side and different left ones.
  void compare_right_sides(const std::vector<Pair>& pairs) {
    std::vector<Folded> folded;
    folded.reserve(pairs.size());
    for (const auto& pair : pairs) folded.emplace_back(pair.right);
    each_group(
        pairs.size(), [&](std::size_t i) { return folded[i].view(); },
        [&](const Members& members) {
          const auto& first = pairs[members[0]];
          const auto is_stranger = [&](std::size_t i) {
            return pairs[i].identity != first.identity;
          };
          const auto stranger = std::find_if(members.begin(), members.end(), is_stranger);
          if (stranger == members.end()) return;
          for (const auto i : members) {
            report_fit(pairs[i], is_stranger(i) ? first : pairs[*stranger]);
          }
        });
  }

  // Two pairs of which each left side expands to the other's right side.
  void compare_fits(const std::vector<Pair>& pairs) {
    const RightSides rights{pairs};
    const auto fits = [&](const Pair& one, const Pair& other) {
      return check_pair_expansion(one.left.tidied(), other.right.tidied(), policy_) ==
             Expansion::expands;
    };
    for (const auto& pair : pairs) {
      if (!pair.has_gap || !subjects_[pair.index].open) continue;
      const auto* other = rights.find(pair, [&](const Pair& candidate) {
        return candidate.has_gap && candidate.identity != pair.identity && fits(pair, candidate) &&
               fits(candidate, pair);
      });
      if (other != nullptr) report_fit(pair, *other);
    }
  }

  void report_fit(const Pair& pair, const Pair& other) {
    add(Reason::ambiguous_pair, pair.index, other.index, "fits the right side of ");
  }

  void add(Reason code, std::size_t index, std::size_t other, std::string_view detail) {
    const auto& subject = subjects_[index];
    if (!subject.open) return;
    const ItemName name{kind_.name, static_cast<int>(subject.ordinal)};
    const ItemName other_name{kind_.name, static_cast<int>(subjects_[other].ordinal)};
    found_.try_emplace({subject.ordinal, code}, Finding{code, Severity::flag, name, "",
                                                        std::string{detail} + to_text(other_name)});
  }

  const GameKind& kind_;
  const std::vector<DuplicateSubject>& subjects_;
  FillingPolicy policy_;
  std::map<std::pair<std::size_t, Reason>, Finding> found_;
};

}  // namespace

std::vector<Finding> check_duplicates(const GameKind& kind,
                                      const std::vector<DuplicateSubject>& subjects, int gap_max) {
  return Search{kind, subjects, gap_max}.run();
}

}  // namespace flagman::validators
