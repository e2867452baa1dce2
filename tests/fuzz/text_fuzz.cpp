// The normal forms take any bytes, give UTF-8, and leave nothing of what they drop.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <string_view>

#include "validators/characters.h"
#include "validators/number.h"
#include "validators/text.h"
#include "validators/utf8.h"
#include "validators/words.h"

using namespace flagman::validators;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (next_point(text, at) < 0) return false;
  }
  return true;
}

bool holds_any_of(std::string_view text, std::initializer_list<std::string_view> signs) {
  for (const auto sign : signs) {
    if (text.find(sign) != std::string_view::npos) return true;
  }
  return false;
}

void check_tidy(std::string_view bytes, const std::string& tidied) {
  require(is_utf8(tidied));
  // Composing makes at most three bytes of one, and so does U+FFFD; a low line becomes two.
  require(tidied.size() <= 3 * bytes.size());
  require(!tidied.starts_with(' ') && !tidied.ends_with(' '));
  require(!holds_any_of(tidied, {"  ", "_", "\n", "\t", "\u00A0", "\u2028", "\u00AD", "\u200B",
                                 "\u200C", "\u2060", "\uFEFF"}));
  // Gaps side by side were one gap each; the second time their dots are one run.
  if (tidied.find("...") == std::string::npos) require(tidy(tidied) == tidied);
  // Where nothing stands after `?` or `!`, an ellipsis is always a gap.
  if (!holds_any_of(tidied, {"?", "!"})) require(!holds_any_of(tidied, {"\u2026"}));
  if (!find_forbidden(bytes, LineBreaks::allowed)) {
    require(!find_forbidden(tidied, LineBreaks::forbidden));
  }
}

void check_words(const std::string& tidied) {
  const auto gap = find_gap(tidied);
  const auto word = word_filled(tidied, "н");
  require(gap || word.empty());
  if (!gap) return;
  require(tidied.compare(*gap, gap_spelling.size(), gap_spelling) == 0);
  require(!word.empty() && is_utf8(word) && !find_gap(word));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes{reinterpret_cast<const char*>(data), size};
  const auto tidied = tidy(bytes);
  check_tidy(bytes, tidied);
  check_words(tidied);
  require(same_text(bytes, bytes));
  const auto folded = fold(bytes);
  require(is_utf8(folded) && folded.size() <= 6 * tidied.size());
  require(!holds_any_of(folded, {"ё", "Ё", "«", "»", "“", "„", "—", "–", "\u2011", "\u2212"}));
  const auto looked_up = lookup(bytes);
  require(is_utf8(looked_up) && looked_up.size() <= 2 * tidied.size());
  require(!holds_any_of(looked_up, {"\u0300", "\u0301", "А", "Ё"}));
  const auto caselessly = caseless(bytes);
  require(is_utf8(caselessly) && caselessly.size() <= 3 * tidied.size());
  if (const auto bad = find_forbidden(bytes, LineBreaks::forbidden)) {
    require(bad->byte < size);
    require(!find_forbidden(bytes.substr(0, bad->byte), LineBreaks::forbidden));
  }
  if (longer_than(bytes, 5)) require(longer_than(bytes, 4));
  require(longer_than(bytes, 0) == (size > 0));
  if (same_number(bytes, bytes)) require(is_number(tidied));
  return 0;
}
