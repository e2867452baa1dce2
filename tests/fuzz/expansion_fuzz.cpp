// The matcher against the regular expression that says the same: "left, line feed, right".

#include <re2/re2.h>
#include <unicode/uchar.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "validators/expansion.h"
#include "validators/text.h"
#include "validators/utf8.h"

using namespace flagman::validators;

namespace {

// RE2 and ICU each bring their own edition of Unicode: a sign younger than the older one (14) may
// be a letter to one alone.
bool has_young_signs(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    UVersionInfo age;
    u_charAge(next_point(text, at), age);
    if (age[0] == 0 || age[0] > 14) return true;
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 64) return 0;
  const std::string_view bytes{reinterpret_cast<const char*>(data), size};
  const auto middle = bytes.find('\n');
  if (middle == std::string_view::npos) return 0;
  const auto left = tidy(bytes.substr(0, middle));
  const auto right = tidy(bytes.substr(middle + 1));
  if (has_young_signs(left) || has_young_signs(right)) return 0;
  const int letters_max = static_cast<int>(size % 7);
  const bool hyphens = size % 2 == 0;
  const FillingPolicy policy{.letters_max = letters_max, .also = hyphens ? "-" : ""};
  const bool ours = check_pair_expansion(left, right, policy) == Expansion::expands;
  if (!find_gap(left) || find_gap(right)) {
    if (ours) std::abort();
    return 0;
  }
  std::string pattern;
  std::size_t at = 0;
  while (const auto gap = find_gap(left, at)) {
    pattern += RE2::QuoteMeta(left.substr(at, *gap - at));
    pattern += hyphens ? "(?:\\p{L}\\p{M}*|-)" : "(?:\\p{L}\\p{M}*)";
    pattern += "{0," + std::to_string(letters_max) + "}";
    at = *gap + gap_spelling.size();
  }
  pattern += RE2::QuoteMeta(left.substr(at));
  const RE2 expression{pattern, RE2::Quiet};
  if (!expression.ok()) return 0;  // too many gaps for the expression's memory
  if (RE2::FullMatch(right, expression) != ours) std::abort();
  return 0;
}
