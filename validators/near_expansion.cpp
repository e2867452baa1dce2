#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <vector>

#include "validators/expansion.h"
#include "validators/scan.h"
#include "validators/text.h"
#include "validators/utf8.h"

namespace flagman::validators {
namespace {

constexpr UChar32 gap_symbol = 0x110000;  // no code point
constexpr std::size_t letters_for_an_edit = 5;
constexpr int edits_max = 2;

using Symbols = std::vector<UChar32>;

bool is_stress(UChar32 c) { return c == 0x0300 || c == 0x0301; }
bool is_letter(UChar32 c) { return c < gap_symbol && u_isalpha(c) != 0; }
bool is_mark(UChar32 c) { return c < gap_symbol && (U_GET_GC_MASK(c) & U_GC_M_MASK) != 0; }

// A letter composed with its stress mark loses it too.
std::string without_stress(std::string_view text) {
  if (!scan(text).may_have(has_uncommon)) return std::string{text};
  UErrorCode status = U_ZERO_ERROR;
  const auto* nfd = icu::Normalizer2::getNFDInstance(status);
  const auto* nfc = icu::Normalizer2::getNFCInstance(status);
  const auto apart = nfd->normalize(
      icu::UnicodeString::fromUTF8({text.data(), static_cast<std::int32_t>(text.size())}), status);
  icu::UnicodeString bare;
  for (std::int32_t at = 0; at < apart.length(); at = apart.moveIndex32(at, 1)) {
    if (const UChar32 c = apart.char32At(at); !is_stress(c)) bare.append(c);
  }
  std::string out;
  nfc->normalize(bare, status).toUTF8String(out);
  if (U_FAILURE(status)) throw std::bad_alloc{};  // ICU's own data: only memory can be lacking
  return out;
}

Symbols symbols_of(std::string_view text) {
  Symbols symbols;
  symbols.reserve(text.size());
  auto gap = find_gap(text);
  for (std::size_t at = 0; at < text.size();) {
    if (gap == at) {
      symbols.push_back(gap_symbol);
      at += gap_spelling.size();
      gap = find_gap(text, at);
    } else {
      symbols.push_back(next_point(text, at));
    }
  }
  return symbols;
}

enum class Replacing { allowed, forbidden };

// The least number of edits from the gapped side to the other one, row by row over the gapped side;
// counted no further than one beyond `limit`.
class EditDistance {
 public:
  EditDistance(const Symbols& gapped, const Symbols& other, const FillingPolicy& policy, int limit,
               Replacing replacing)
      : gapped_(gapped), other_(other), policy_(policy), over_(limit + 1), replacing_(replacing) {}

  int run() {
    Row row(other_.size() + 1, over_);
    for (int j = 0; j < over_ && static_cast<std::size_t>(j) < row.size(); ++j) {
      row[static_cast<std::size_t>(j)] = j;
    }
    Row before = row;  // of the row before that one; of use only behind two literal symbols
    for (std::size_t i = 0; i < gapped_.size(); ++i) {
      Row next = gapped_[i] == gap_symbol ? fill(row) : step(row, before, i);
      if (*std::min_element(next.begin(), next.end()) >= over_) return over_;
      before = std::move(row);
      row = std::move(next);
    }
    return row.back();
  }

 private:
  using Row = std::vector<int>;

  [[nodiscard]] bool is_filler(UChar32 c) const {
    return is_letter(c) ||
           (c < 0x80 && policy_.also.find(static_cast<char>(c)) != std::string_view::npos);
  }

  // Behind a gap: from wherever it began, up to so many letters further, for free.
  [[nodiscard]] Row fill(const Row& row) const {
    Row next = row;
    for (std::size_t begin = 0; begin < other_.size(); ++begin) {
      if (row[begin] >= over_ || !is_filler(other_[begin])) continue;
      int letters = 0;
      for (std::size_t end = begin; end < other_.size(); ++end) {
        if (is_filler(other_[end])) {
          if (++letters > policy_.letters_max) break;
        } else if (!is_mark(other_[end])) {
          break;
        }
        next[end + 1] = std::min(next[end + 1], row[begin]);
      }
    }
    insert_along(next);
    return next;
  }

  // Behind a literal symbol.
  [[nodiscard]] Row step(const Row& row, const Row& before, std::size_t i) const {
    Row next(row.size(), over_);
    next[0] = std::min(over_, row[0] + 1);
    for (std::size_t j = 1; j < next.size(); ++j) {
      const bool same = gapped_[i] == other_[j - 1];
      const int replaced =
          same ? row[j - 1] : (replacing_ == Replacing::allowed ? row[j - 1] + 1 : over_);
      next[j] = std::min({over_, row[j] + 1, replaced});
      const bool swapped = i > 0 && j > 1 && gapped_[i] == other_[j - 2] &&
                           gapped_[i - 1] == other_[j - 1] && gapped_[i - 1] != gap_symbol;
      if (swapped) next[j] = std::min(next[j], before[j - 2] + 1);
    }
    insert_along(next);
    return next;
  }

  static void insert_along(Row& row) {
    for (std::size_t j = 1; j < row.size(); ++j) row[j] = std::min(row[j], row[j - 1] + 1);
  }

  const Symbols& gapped_;
  const Symbols& other_;
  const FillingPolicy& policy_;
  int over_;
  Replacing replacing_;
};

bool ends_with_vowel(const Symbols& word) {
  constexpr std::u32string_view vowels = U"аеёиоуыэюяАЕЁИОУЫЭЮЯ";
  return !word.empty() &&
         vowels.find(static_cast<char32_t>(word.back())) != std::u32string_view::npos;
}

std::string text_of(const Symbols& symbols, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    if (symbols[i] == gap_symbol) {
      text += gap_spelling;
    } else {
      append_point(text, symbols[i]);
    }
  }
  return text;
}

// «стор..на» – «стороны»: the same word but for its ending.
bool is_other_form(const Symbols& gapped, const Symbols& other, const FillingPolicy& policy) {
  constexpr std::size_t gapped_ending_max = 2;
  constexpr std::size_t other_ending_max = 3;
  std::size_t tail = 0;  // letters behind the last gap
  while (tail < gapped.size() && is_letter(gapped[gapped.size() - 1 - tail])) ++tail;
  for (std::size_t t = 0; t <= gapped_ending_max && t < tail; ++t) {
    if (t == 0 && ends_with_vowel(gapped)) continue;
    const auto stem = text_of(gapped, gapped.size() - t);
    for (std::size_t u = 0; u <= other_ending_max && u < other.size(); ++u) {
      if (t + u == 0 || (u == 0 && ends_with_vowel(other))) continue;
      if (u > 0 && !is_letter(other[other.size() - u])) break;
      const auto other_stem = text_of(other, other.size() - u);
      if (check_pair_expansion(stem, other_stem, policy) == Expansion::expands) return true;
    }
  }
  return false;
}

bool has_space(const Symbols& symbols) {
  return std::find(symbols.begin(), symbols.end(), ' ') != symbols.end();
}

bool is_almost(std::string_view gapped_text, std::string_view other_text,
               const FillingPolicy& policy) {
  const auto gapped = symbols_of(gapped_text);
  const auto other = symbols_of(other_text);
  const auto literals = static_cast<std::size_t>(std::count_if(
      gapped.begin(), gapped.end(), [](UChar32 c) { return is_letter(c) || u_isdigit(c) != 0; }));
  const bool one_word = !has_space(gapped) && !has_space(other);
  const int limit =
      std::min(one_word ? 1 : edits_max,
               static_cast<int>(std::min<std::size_t>(edits_max, literals / letters_for_an_edit)));
  const auto gaps = static_cast<std::size_t>(std::count(gapped.begin(), gapped.end(), gap_symbol));
  if (limit == 0 || other.size() + static_cast<std::size_t>(limit) < gapped.size() - gaps) {
    return false;
  }
  const auto replacing = one_word ? Replacing::forbidden : Replacing::allowed;
  const int edits = EditDistance{gapped, other, policy, limit, replacing}.run();
  if (edits == 0 || edits > limit) return false;
  return !one_word || !is_other_form(gapped, other, policy);
}

}  // namespace

NearExpansion check_near_expansion(std::string_view left, std::string_view right,
                                   const FillingPolicy& policy) {
  const bool left_gap = find_gap(left).has_value();
  if (!left_gap && !find_gap(right)) return NearExpansion::not_almost;
  const auto one = without_stress(left);
  const auto two = without_stress(right);
  const bool almost = left_gap ? is_almost(one, two, policy) : is_almost(two, one, policy);
  return almost ? NearExpansion::almost : NearExpansion::not_almost;
}

}  // namespace flagman::validators
