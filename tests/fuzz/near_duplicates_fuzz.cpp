// The search for near duplicates against comparing all with all by the definition alone. One text a
// line; the first byte chooses the threshold, a leading digit of a line its game, a leading ! that
// it is settled.

#include <unicode/uchar.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "validators/near_duplicates.h"
#include "validators/text.h"
#include "validators/utf8.h"

using namespace flagman::validators;

namespace {

std::u32string points_of(std::string_view text) {
  std::u32string points;
  for (std::size_t at = 0; at < text.size();) {
    points += static_cast<char32_t>(next_point(text, at));
  }
  return points;
}

double jaccard(const std::u32string& one, const std::u32string& other) {
  const auto trigrams = [](const std::u32string& text) {
    std::set<std::u32string> all;
    for (std::size_t i = 0; i + 3 <= text.size(); ++i) all.insert(text.substr(i, 3));
    return all;
  };
  const auto left = trigrams(one);
  const auto right = trigrams(other);
  std::size_t common = 0;
  for (const auto& trigram : left) common += right.contains(trigram) ? 1U : 0U;
  return static_cast<double>(common) / static_cast<double>(left.size() + right.size() - common);
}

std::vector<std::u32string> digit_runs(const std::u32string& text) {
  std::vector<std::u32string> runs;
  bool in_run = false;
  for (const char32_t c : text) {
    const bool digit = u_isdigit(static_cast<UChar32>(c)) != 0;
    if (digit && !in_run) runs.emplace_back();
    if (digit) runs.back() += c;
    in_run = digit;
  }
  return runs;
}

char32_t letter_or_nothing(const std::u32string& text, std::size_t at) {
  if (at >= text.size() || u_isalpha(static_cast<UChar32>(text[at])) == 0) return 0;
  return text[at];
}

std::vector<std::u32string> letters_around_gaps(std::string_view folded) {
  std::vector<std::u32string> all;
  for (auto gap = find_gap(folded); gap; gap = find_gap(folded, *gap + 2)) {
    const auto before = points_of(folded.substr(0, *gap));
    const auto after = points_of(folded.substr(*gap + 2));
    all.push_back({before.empty() ? 0 : letter_or_nothing(before, before.size() - 1),
                   letter_or_nothing(after, 0)});
  }
  return all;
}

std::u32string bare(const std::u32string& text) {
  std::u32string letters;
  for (const char32_t c : text) {
    const auto point = static_cast<UChar32>(c);
    if (u_ispunct(point) != 0 || u_isUWhiteSpace(point) != 0) continue;
    letters += static_cast<char32_t>(u_foldCase(point, U_FOLD_CASE_DEFAULT));
  }
  return letters;
}

bool alike(const NearText& one, const NearText& other, double threshold) {
  if (one.folded == other.folded) return one.game != other.game;
  const auto left = points_of(one.folded);
  const auto right = points_of(other.folded);
  return digit_runs(left) == digit_runs(right) &&
         letters_around_gaps(one.folded) == letters_around_gaps(other.folded) &&
         bare(left) != bare(right) && jaccard(left, right) > threshold;
}

std::optional<std::size_t> first_like(const std::vector<NearText>& texts, std::size_t i,
                                      double threshold) {
  for (std::size_t j = 0; j < texts.size(); ++j) {
    const bool may_report = j < i || (j > i && !texts[j].open);
    if (may_report && texts[i].points >= 20 && texts[j].points >= 20 &&
        alike(texts[i], texts[j], threshold)) {
      return j;
    }
  }
  return std::nullopt;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > 2000) return 0;
  const double threshold = static_cast<double>(data[0] % 11) / 10;
  std::string_view rest{reinterpret_cast<const char*>(data) + 1, size - 1};
  std::vector<std::string> folded;
  std::vector<NearText> texts;
  while (!rest.empty()) {
    const auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    folded.push_back(fold(line));
    const bool settled = line.starts_with('!');
    const int game = !line.empty() && line[0] >= '0' && line[0] <= '9' ? line[0] - '0' : 0;
    texts.push_back({{}, 0, {}, game, !settled});
  }
  for (std::size_t i = 0; i < texts.size(); ++i) {
    texts[i].folded = folded[i];
    texts[i].points = points_of(folded[i]).size();
  }
  const auto found = find_near_duplicates(texts, threshold);
  auto pair = found.begin();
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto other = texts[i].open ? first_like(texts, i, threshold) : std::nullopt;
    if (!other) continue;
    if (pair == found.end() || pair->reported != i || pair->other != *other) std::abort();
    ++pair;
  }
  if (pair != found.end()) std::abort();
  return 0;
}
