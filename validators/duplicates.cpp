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

// Pairs by their right sides, so that those which begin or end in a given way stand together.
class RightSides {
 public:
  explicit RightSides(const std::vector<Pair>& pairs) {
    by_beginning_.reserve(pairs.size());
    by_end_.reserve(pairs.size());
    for (const auto& pair : pairs) {
      const auto right = pair.right.tidied();
      by_beginning_.emplace_back(right, &pair);
      by_end_.emplace_back(std::string{right.rbegin(), right.rend()}, &pair);
    }
    std::sort(by_beginning_.begin(), by_beginning_.end());
    std::sort(by_end_.begin(), by_end_.end());
  }

  // A pair that could take `left`'s gaps as far as the ends of `left` tell, and for which `fits`
  // holds. No more than `candidates_max` are asked.
  template <typename Fits>
  [[nodiscard]] const Pair* find(const Pair& left, Fits fits) const {
    const std::string suffix{left.suffix.rbegin(), left.suffix.rend()};
    const auto by_beginning = starting_with(by_beginning_, left.prefix);
    const auto by_end = starting_with(by_end_, suffix);
    if (by_beginning.second - by_beginning.first <= by_end.second - by_end.first) {
      return find_among(by_beginning, fits);
    }
    return find_among(by_end, fits);
  }

 private:
  static constexpr std::ptrdiff_t candidates_max = 2000;

  template <typename Sides>
  static auto starting_with(const Sides& sides, std::string_view beginning) {
    const auto first = std::partition_point(sides.begin(), sides.end(), [&](const auto& side) {
      return std::string_view{side.first} < beginning;
    });
    const auto last = std::partition_point(first, sides.end(), [&](const auto& side) {
      return std::string_view{side.first}.starts_with(beginning);
    });
    return std::pair{first, last};
  }

  template <typename Range, typename Fits>
  static const Pair* find_among(const Range& range, Fits fits) {
    const auto [first, last] = range;
    const auto enough = first + std::min(candidates_max, last - first);
    const auto found =
        std::find_if(first, enough, [&](const auto& side) { return fits(*side.second); });
    return found == enough ? nullptr : found->second;
  }

  std::vector<std::pair<std::string_view, const Pair*>> by_beginning_;
  std::vector<std::pair<std::string, const Pair*>> by_end_;
};

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
    std::vector<std::pair<std::size_t, std::size_t>> by_hash;
    by_hash.reserve(subjects_.size());
    const std::hash<std::string_view> hash;
    for (std::size_t i = 0; i < subjects_.size(); ++i) {
      by_hash.emplace_back(hash(subjects_[i].item->identity.whole()), i);
    }
    std::sort(by_hash.begin(), by_hash.end());
    for (std::size_t begin = 0, end = 0; begin < by_hash.size(); begin = end) {
      for (end = begin + 1; end < by_hash.size() && by_hash[end].first == by_hash[begin].first;) {
        ++end;
      }
      if (end - begin < 2) continue;
      std::map<std::string_view, Members> same;
      for (auto i = begin; i < end; ++i) {
        const auto subject = by_hash[i].second;
        same[subjects_[subject].item->identity.whole()].push_back(subject);
      }
      for (const auto& [identity, members] : same) {
        if (members.size() > 1) compare_same(members);
      }
    }
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
    std::vector<std::pair<std::string, const Pair*>> by_right;
    by_right.reserve(pairs.size());
    for (const auto& pair : pairs)
      by_right.emplace_back(std::string{Folded{pair.right}.view()}, &pair);
    std::sort(by_right.begin(), by_right.end());
    for (std::size_t begin = 0, end = 0; begin < by_right.size(); begin = end) {
      const Pair* first = by_right[begin].second;
      const Pair* stranger = nullptr;
      for (end = begin; end < by_right.size() && by_right[end].first == by_right[begin].first;
           ++end) {
        if (by_right[end].second->identity != first->identity) stranger = by_right[end].second;
      }
      if (stranger == nullptr) continue;
      for (auto i = begin; i < end; ++i) {
        const Pair* pair = by_right[i].second;
        report_fit(*pair, pair->identity == first->identity ? *stranger : *first);
      }
    }
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
