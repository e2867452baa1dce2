#include "validators/expansion.h"

#include <unicode/uchar.h>

#include <cstddef>
#include <optional>
#include <vector>

#include "validators/text.h"
#include "validators/utf8.h"

namespace flagman::validators {
namespace {

// One unit that a gap may swallow: a letter with its marks, or a further character.
struct Unit {
  std::size_t letter_end;  // after the letter alone: its marks may belong to the literal behind
  std::size_t end;         // after the letter and all its marks
};

bool is_letter(UChar32 c) { return (U_GET_GC_MASK(c) & U_GC_L_MASK) != 0; }
bool is_mark(UChar32 c) { return (U_GET_GC_MASK(c) & U_GC_M_MASK) != 0; }

// Where the run of combining marks that begins at `at` ends; `at` itself where there is none.
std::size_t mark_run_end(std::string_view text, std::size_t at) {
  for (auto next = at; next < text.size(); at = next) {
    const UChar32 c = next_point(text, next);
    if (c < 0 || !is_mark(c)) break;
  }
  return at;
}

std::optional<Unit> unit_at(std::string_view text, std::size_t at, std::string_view also) {
  if (at >= text.size()) return std::nullopt;
  const UChar32 c = next_point(text, at);
  if (c < 0) return std::nullopt;
  if (is_letter(c)) return Unit{at, mark_run_end(text, at)};
  if (c < 0x80 && also.find(static_cast<char>(c)) != std::string_view::npos) return Unit{at, at};
  return std::nullopt;
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (next_point(text, at) < 0) return false;
  }
  return true;
}

// `reached[p]`: the fewest units that the gap in hand has swallowed when it stands at byte p of the
// right side, or -1. Fewest is enough: from the same place, fewer units leave more room.
using Reached = std::vector<int>;

void swallow(Reached& reached, std::string_view right, const FillingPolicy& policy) {
  for (std::size_t at = 0; at < right.size(); ++at) {
    const int used = reached[at];
    if (used < 0 || used >= policy.letters_max) continue;
    const auto unit = unit_at(right, at, policy.also);
    if (!unit) continue;
    // The filling may end after any number of the letter's marks; a mark is no place to start
    // the next letter from, so only the literal behind the gap can go on from there.
    for (std::size_t end = unit->letter_end; end <= unit->end; ++end) {
      if (reached[end] < 0 || reached[end] > used + 1) reached[end] = used + 1;
    }
  }
}

Reached follow_literal(const Reached& reached, std::string_view right, std::string_view literal) {
  Reached next(reached.size(), -1);
  for (std::size_t at = 0; at + literal.size() < reached.size(); ++at) {
    if (reached[at] >= 0 && right.substr(at).starts_with(literal)) next[at + literal.size()] = 0;
  }
  return next;
}

}  // namespace

Expansion check_pair_expansion(std::string_view left, std::string_view right,
                               const FillingPolicy& policy) {
  auto gap = find_gap(left);
  if (!gap || find_gap(right) || !is_utf8(left) || !is_utf8(right)) {
    return Expansion::does_not_expand;
  }
  if (!right.starts_with(left.substr(0, *gap))) return Expansion::does_not_expand;
  Reached reached(right.size() + 1, -1);
  reached[*gap] = 0;
  while (gap) {
    swallow(reached, right, policy);
    const auto literal_begin = *gap + gap_spelling.size();
    gap = find_gap(left, literal_begin);
    const auto literal =
        left.substr(literal_begin, gap ? *gap - literal_begin : std::string_view::npos);
    reached = follow_literal(reached, right, literal);
  }
  return reached.back() >= 0 ? Expansion::expands : Expansion::does_not_expand;
}

}  // namespace flagman::validators
