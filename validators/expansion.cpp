#include "validators/expansion.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "validators/text.h"
#include "validators/utf8.h"

namespace flagman::validators {
namespace {

bool is_letter(UChar32 c) {
  if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  if (c >= 0x0400 && c <= 0x0481) return true;  // Cyrillic without its signs
  return (U_GET_GC_MASK(c) & U_GC_L_MASK) != 0;
}

bool is_mark(UChar32 c) { return c >= 0x0300 && (U_GET_GC_MASK(c) & U_GC_M_MASK) != 0; }

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      ++at;
    } else if (next_point(text, at) < 0) {
      return false;
    }
  }
  return true;
}

// Walks the two sides word by word. A word here is what gaps and the fillings of gaps may hold:
// letters, marks and the policy's further characters. Everything else stands on both sides at the
// same place of the same order, so it parts the sides into words that are compared alone.
class Comparison {
 public:
  Comparison(std::string_view left, std::string_view right, const FillingPolicy& policy)
      : left_(left), right_(right), policy_(policy) {}

  bool run() {
    auto gap = find_gap(left_);
    if (!gap || find_gap(right_) || !is_utf8(left_) || !is_utf8(right_)) return false;
    for (; gap; gap = find_gap(left_, left_at_)) {
      if (!take_literal(left_.substr(left_at_, *gap - left_at_))) return false;
      left_at_ = *gap;
      if (!take_word()) return false;
    }
    return left_.substr(left_at_) == right_.substr(right_at_);
  }

 private:
  bool take_literal(std::string_view literal) {
    if (!right_.substr(right_at_).starts_with(literal)) return false;
    right_at_ += literal.size();
    return true;
  }

  // From a gap to the end of its word, on both sides.
  bool take_word() {
    const auto literals_begin = left_at_ + gap_spelling.size();
    const auto literals_end = word_end(left_, literals_begin);
    const auto right_end = word_end(right_, right_at_);
    const auto filled = right_.substr(right_at_, right_end - right_at_);
    const auto literal = left_.substr(literals_begin, literals_end - literals_begin);
    left_at_ = literals_end;
    right_at_ = right_end;
    // Where another gap follows in the word, the way through it is not plain.
    if (left_.substr(left_at_).starts_with(gap_spelling) && find_gap(left_, left_at_) == left_at_) {
      return take_gaps(literal, filled);
    }
    return filled.ends_with(literal) &&
           is_filling(filled.substr(0, filled.size() - literal.size()));
  }

  [[nodiscard]] bool is_filler(UChar32 c) const {
    return is_letter(c) ||
           (c < 0x80 && policy_.also.find(static_cast<char>(c)) != std::string_view::npos);
  }

  [[nodiscard]] std::size_t word_end(std::string_view text, std::size_t at) const {
    for (auto next = at; next < text.size(); at = next) {
      const UChar32 c = next_point(text, next);
      if (!is_filler(c) && !is_mark(c)) break;
    }
    return at;
  }

  // Letters with their marks, not too many. A mark at the end may be the literal's behind it.
  [[nodiscard]] bool is_filling(std::string_view text) const {
    int letters = 0;
    bool mark_may_follow = false;
    for (std::size_t at = 0; at < text.size();) {
      const UChar32 c = next_point(text, at);
      if (is_filler(c)) {
        if (++letters > policy_.letters_max) return false;
        mark_may_follow = is_letter(c);
      } else if (!mark_may_follow || !is_mark(c)) {
        return false;
      }
    }
    return true;
  }

  // Where in the filled word the gap in hand may have got to: `fewest[i]` is the fewest letters
  // that it has swallowed when it stands at byte `begin + i`, or -1. Fewest is enough: from the
  // same place, fewer leave more room.
  struct Reached {
    std::size_t begin = 0;
    std::vector<int> fewest;
  };

  // A word with several gaps: `literal` stands between the first and the second.
  bool take_gaps(std::string_view literal, std::string_view filled) {
    Reached reached{0, {0}};
    while (true) {
      swallow(reached, filled);
      follow_literal(reached, filled, literal);
      if (reached.fewest.empty() || find_gap(left_, left_at_) != left_at_) break;
      const auto begin = left_at_ + gap_spelling.size();
      left_at_ = word_end(left_, begin);
      literal = left_.substr(begin, left_at_ - begin);
    }
    // What is left ends with a place, so the last one is the end of the word or nothing is.
    return !reached.fewest.empty() && reached.begin + reached.fewest.size() - 1 == filled.size();
  }

  void swallow(Reached& reached, std::string_view filled) const {
    auto& fewest = reached.fewest;
    for (std::size_t i = 0; i < fewest.size(); ++i) {
      const int used = fewest[i];
      if (used < 0 || used >= policy_.letters_max || reached.begin + i == filled.size()) continue;
      auto end = reached.begin + i;
      const UChar32 c = next_point(filled, end);
      if (!is_filler(c)) continue;
      // The filling may end after any number of the letter's marks; a mark is no place to start the
      // next letter from, so only the literal behind the gap can go on from there.
      const auto reach = [&] {
        const auto at = end - reached.begin;
        if (at >= fewest.size()) fewest.resize(at + 1, -1);
        if (fewest[at] < 0 || fewest[at] > used + 1) fewest[at] = used + 1;
      };
      reach();
      if (!is_letter(c)) continue;
      for (auto next = end; next < filled.size(); end = next, reach()) {
        if (!is_mark(next_point(filled, next))) break;
      }
    }
  }

  // Keeps the places behind which the literal stands, and goes behind it; ends with a place or
  // empty.
  static void follow_literal(Reached& reached, std::string_view filled, std::string_view literal) {
    auto& fewest = reached.fewest;
    for (std::size_t i = 0; i < fewest.size(); ++i) {
      const bool goes_on = fewest[i] >= 0 && filled.substr(reached.begin + i).starts_with(literal);
      fewest[i] = goes_on ? 0 : -1;
    }
    while (!fewest.empty() && fewest.back() < 0) fewest.pop_back();
    const auto first = std::find(fewest.begin(), fewest.end(), 0);
    reached.begin += static_cast<std::size_t>(first - fewest.begin()) + literal.size();
    fewest.erase(fewest.begin(), first);
  }

  std::string_view left_, right_;
  const FillingPolicy& policy_;
  std::size_t left_at_ = 0;
  std::size_t right_at_ = 0;
};

}  // namespace

Expansion check_pair_expansion(std::string_view left, std::string_view right,
                               const FillingPolicy& policy) {
  return Comparison{left, right, policy}.run() ? Expansion::expands : Expansion::does_not_expand;
}

}  // namespace flagman::validators
