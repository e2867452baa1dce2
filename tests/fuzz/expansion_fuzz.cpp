// The matcher against the regular expression that says the same.

#include <re2/re2.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "validators/expansion.h"
#include "validators/text.h"

using namespace flagman::validators;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 64) return 0;
  const std::string_view bytes{reinterpret_cast<const char*>(data), size};
  const auto middle = bytes.find('\n');
  if (middle == std::string_view::npos) return 0;
  const auto left = tidy(bytes.substr(0, middle));
  const auto right = tidy(bytes.substr(middle + 1));
  const bool ours = check_pair_expansion(left, right, {}) == Expansion::expands;
  if (!find_gap(left) || find_gap(right)) {
    if (ours) std::abort();
    return 0;
  }
  std::string pattern;
  std::size_t at = 0;
  while (const auto gap = find_gap(left, at)) {
    pattern += RE2::QuoteMeta(left.substr(at, *gap - at)) + "(?:\\p{L}\\p{M}*){0,6}";
    at = *gap + gap_spelling.size();
  }
  pattern += RE2::QuoteMeta(left.substr(at));
  const RE2 expression{pattern, RE2::Quiet};
  if (!expression.ok()) return 0;  // too many gaps for the expression's memory
  if (RE2::FullMatch(right, expression) != ours) std::abort();
  return 0;
}
