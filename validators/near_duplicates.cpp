#include "validators/near_duplicates.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "validators/scan.h"
#include "validators/text.h"
#include "validators/utf8.h"

namespace flagman::validators {
namespace {

constexpr std::size_t points_min = 20;
// Beyond these, one text is not compared with more of the others: the first look is cheap, the
// whole comparison is not.
constexpr std::size_t compared_max = 1000;
constexpr std::size_t compared_whole_max = 200;
constexpr std::size_t signature_words = 8;
constexpr std::size_t signature_bits = signature_words * 64;

using Signature = std::array<std::uint64_t, signature_words>;

// Three code points of 21 bits.
using Trigram = std::uint64_t;

// Bits that are set, the halves of each half added up; the compiler's own is a call where the
// machine is not known to have the instruction.
std::size_t count_bits(std::uint64_t bits) {
  bits -= (bits >> 1U) & 0x5555555555555555;
  bits = (bits & 0x3333333333333333) + ((bits >> 2U) & 0x3333333333333333);
  bits = (bits + (bits >> 4U)) & 0x0F0F0F0F0F0F0F0F;
  return (bits * 0x0101010101010101) >> 56U;
}

std::size_t bit_of(Trigram trigram) {
  constexpr std::uint64_t odd = 0x9E3779B97F4A7C15;  // the golden ratio, as in Fibonacci hashing
  return static_cast<std::size_t>((trigram * odd) >> (64U - 9U));
}
static_assert(signature_bits == std::size_t{1} << 9U);

// Calls `take` with every trigram of the text, which is UTF-8 as every folded one, repeated ones
// too; returns how many.
template <typename Take>
std::size_t each_trigram(std::string_view text, Take take) {
  constexpr std::uint64_t three_points = (std::uint64_t{1} << 63U) - 1;
  Trigram last = 0;
  std::size_t points = 0;
  for (std::size_t at = 0; at < text.size();) {
    std::uint64_t point = static_cast<unsigned char>(text[at++]);
    if (point >= 0x80) {
      const auto follow = [&] {
        point = (point << 6U) | (static_cast<unsigned char>(text[at++]) & 0x3FU);
      };
      const int following = point < 0xE0 ? 1 : point < 0xF0 ? 2 : 3;
      point &= 0x3FU >> static_cast<unsigned>(following);
      follow();
      if (following > 1) follow();
      if (following > 2) follow();
    }
    last = ((last << 21U) | point) & three_points;
    if (++points > 2) take(last);
  }
  return points < 3 ? 0 : points - 2;
}

std::vector<Trigram> trigrams_of(std::string_view text) {
  std::vector<Trigram> trigrams;
  trigrams.reserve(text.size());
  each_trigram(text, [&](Trigram trigram) { trigrams.push_back(trigram); });
  std::sort(trigrams.begin(), trigrams.end());
  trigrams.erase(std::unique(trigrams.begin(), trigrams.end()), trigrams.end());
  return trigrams;
}

bool is_digit(UChar32 c) { return c >= 0 && u_isdigit(c) != 0; }
bool is_letter(UChar32 c) { return c >= 0 && u_isalpha(c) != 0; }

// What parts two near texts for good: their runs of digits, and the letters around their gaps.
std::string marks_of_difference(std::string_view folded) {
  const auto seen = scan(folded);
  std::string marks;
  if (seen.may_have(has_digit | has_uncommon)) {
    bool run = false;
    for (std::size_t at = 0; at < folded.size();) {
      const UChar32 c = next_point(folded, at);
      if (is_digit(c)) {
        if (!run && !marks.empty()) marks += ' ';
        append_point(marks, c);
      }
      run = is_digit(c);
    }
  }
  if (!seen.may_have(has_dots)) return marks;
  marks += '|';
  for (auto gap = find_gap(folded); gap; gap = find_gap(folded, *gap + gap_spelling.size())) {
    auto before = *gap;
    if (before > 0) {
      if (const UChar32 c = previous_point(folded, before); is_letter(c)) append_point(marks, c);
    }
    marks += '.';
    auto after = *gap + gap_spelling.size();
    if (after < folded.size()) {
      if (const UChar32 c = next_point(folded, after); is_letter(c)) append_point(marks, c);
    }
  }
  return marks;
}

// The text without punctuation and spaces, in one case.
std::string bare_of(std::string_view folded) {
  std::string letters;
  for (std::size_t at = 0; at < folded.size();) {
    const UChar32 c = next_point(folded, at);
    if (c >= 0 && (u_ispunct(c) != 0 || u_isUWhiteSpace(c) != 0)) continue;
    append_point(letters, c < 0 ? c : u_foldCase(c, U_FOLD_CASE_DEFAULT));
  }
  return letters;
}

struct Profile {
  std::size_t index = 0;         // of the text
  std::size_t trigrams_max = 0;  // the text has no more different ones
  Signature signature{};
  std::size_t bits = 0;  // set in the signature
};

Profile profile_of(const NearText& text, std::size_t index) {
  Profile profile;
  profile.index = index;
  profile.trigrams_max = each_trigram(text.folded, [&](Trigram trigram) {
    const auto bit = bit_of(trigram);
    profile.signature[bit / 64] |= std::uint64_t{1} << (bit % 64);
  });
  for (const auto word : profile.signature) {
    profile.bits += count_bits(word);
  }
  return profile;
}

// What only texts with a near signature are asked for.
struct Detail {
  std::vector<Trigram> trigrams;
  std::string marks, bare;

  explicit Detail(std::string_view folded)
      : trigrams(trigrams_of(folded)), marks(marks_of_difference(folded)), bare(bare_of(folded)) {}
};

// What a first glance at a profile needs, side by side in memory.
struct Entry {
  std::size_t bits = 0;
  std::size_t profile = 0;
  std::uint64_t glance = 0;  // the first word of the signature
};

class Search {
 public:
  Search(const std::vector<NearText>& texts, double threshold)
      : texts_(texts), threshold_(threshold) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (long_enough(texts[i])) profiles_.push_back(profile_of(texts[i], i));
    }
    details_.resize(profiles_.size());
    by_bits_.reserve(profiles_.size());
    for (std::size_t i = 0; i < profiles_.size(); ++i) {
      by_bits_.push_back({profiles_[i].bits, i, profiles_[i].signature[0]});
    }
    std::sort(by_bits_.begin(), by_bits_.end(), [](const Entry& one, const Entry& other) {
      return std::pair{one.bits, one.profile} < std::pair{other.bits, other.profile};
    });
    first_like_.assign(profiles_.size(), none);
  }

  std::vector<NearPair> run() {
    for (std::size_t at = 0; at < by_bits_.size(); ++at) compare_with_following(at);
    std::vector<NearPair> pairs;
    for (std::size_t i = 0; i < profiles_.size(); ++i) {
      if (first_like_[i] == none) continue;
      pairs.push_back({profiles_[i].index, profiles_[first_like_[i]].index});
    }
    return pairs;
  }

 private:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  // With an index above the threshold, two sets differ in no more than this many members in all.
  [[nodiscard]] std::size_t difference_max(std::size_t members, std::size_t other) const {
    const double most = (1 - threshold_) / (1 + threshold_) * static_cast<double>(members + other);
    return static_cast<std::size_t>(std::floor(most + 1e-9));
  }

  // Every member of the difference changes at most one bit of the signature, so texts whose counts
  // of bits are further apart than their difference may be need no look.
  [[nodiscard]] std::size_t reach_of(const Profile& profile) const {
    const auto largest_other = threshold_ > 0
                                   ? static_cast<double>(profile.trigrams_max) / threshold_
                                   : static_cast<double>(std::numeric_limits<std::int32_t>::max());
    return std::min(signature_bits,
                    difference_max(profile.trigrams_max, static_cast<std::size_t>(largest_other)));
  }

  // Each pair is looked at once, from the text with fewer bits.
  void compare_with_following(std::size_t at) {
    const auto& here = by_bits_[at];
    const auto reach = reach_of(profiles_[here.profile]);
    const auto end = std::min(by_bits_.size(), at + 1 + compared_max);
    std::size_t compared_whole = 0;
    for (auto other = at + 1; other < end && by_bits_[other].bits <= here.bits + reach; ++other) {
      const auto& there = by_bits_[other];
      if (count_bits(here.glance ^ there.glance) > reach) continue;
      const auto earlier = std::min(here.profile, there.profile);
      const auto later = std::max(here.profile, there.profile);
      // Of two open texts the later is reported, else the open one.
      const bool reports_later = is_open(later);
      if (!reports_later && !is_open(earlier)) continue;
      const auto reported = reports_later ? later : earlier;
      const auto like = reports_later ? earlier : later;
      if (first_like_[reported] <= like) continue;
      if (alike(earlier, later, compared_whole)) first_like_[reported] = like;
      if (compared_whole > compared_whole_max) return;
    }
  }

  [[nodiscard]] bool is_open(std::size_t profile) const {
    return texts_[profiles_[profile].index].open;
  }

  bool alike(std::size_t one, std::size_t other, std::size_t& compared_whole) {
    const auto& left = texts_[profiles_[one].index];
    const auto& right = texts_[profiles_[other].index];
    if (!near_signatures(profiles_[one], profiles_[other]) || left.options != right.options) {
      return false;
    }
    if (left.folded == right.folded) return left.game != right.game;
    const auto& here = detail_of(one);
    const auto& there = detail_of(other);
    if (here.marks != there.marks || here.bare == there.bare) return false;
    ++compared_whole;
    return jaccard(here.trigrams, there.trigrams) > threshold_;
  }

  [[nodiscard]] bool near_signatures(const Profile& one, const Profile& other) const {
    const auto most = difference_max(one.trigrams_max, other.trigrams_max);
    std::size_t differing = 0;
    for (std::size_t word = 0; word < signature_words; ++word) {
      differing += count_bits(one.signature[word] ^ other.signature[word]);
      if (differing > most) return false;
    }
    return true;
  }

  const Detail& detail_of(std::size_t i) {
    auto& detail = details_[i];
    if (!detail) detail.emplace(texts_[profiles_[i].index].folded);
    return *detail;
  }

  static double jaccard(const std::vector<Trigram>& one, const std::vector<Trigram>& other) {
    std::size_t common = 0;
    for (auto a = one.begin(), b = other.begin(); a != one.end() && b != other.end();) {
      const auto left = *a;
      const auto right = *b;
      common += left == right ? 1U : 0U;
      a += left <= right ? 1 : 0;
      b += right <= left ? 1 : 0;
    }
    const auto all = one.size() + other.size() - common;
    return static_cast<double>(common) / static_cast<double>(all);
  }

  const std::vector<NearText>& texts_;
  double threshold_;
  std::vector<Profile> profiles_;
  std::vector<std::optional<Detail>> details_;  // of the profiles
  std::vector<Entry> by_bits_;
  std::vector<std::size_t> first_like_;  // of the profiles: another one, or none
};

}  // namespace

bool long_enough(const NearText& text) { return text.points >= points_min; }

std::vector<NearPair> find_near_duplicates(const std::vector<NearText>& texts, double threshold) {
  return Search{texts, threshold}.run();
}

}  // namespace flagman::validators
