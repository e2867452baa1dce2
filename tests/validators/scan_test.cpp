// The one look at a text promises what is not there, and the short ways that rest on it give what
// the long ones do.

#include "validators/scan.h"

#include <rapidcheck.h>
#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "validators/alphabets.h"
#include "validators/characters.h"
#include "validators/text.h"

using namespace flagman::validators;

namespace {

// Of the ordinary repertoire, with everything in it that one form or another writes anew.
std::string any_ordinary_text() {
  static const std::vector<std::string> parts{
      "а",  "Я",  "ё", "Ё",  "й",   "і",  "p", "C",  "z",     "7",      " ",   "  ", "\u00A0",
      "\n", "\t", ".", "..", "...", "…",  "_", "__", "?",     "!",      "?..", "«",  "»",
      "„",  "“",  "’", "'",  "`",   "\"", "-", "–",  "—",     "\u2212", "№",   "°",  "×",
      "(",  "[",  "{", "<",  "&",   "*",  ":", ",",  "слово", "word"};
  std::string text;
  for (int count = *rc::gen::inRange(0, 12); count > 0; --count) {
    text += *rc::gen::elementOf(parts);
  }
  return text;
}

// A word outside the repertoire sends the whole text the long way; then it is taken off again.
template <typename Form>
std::string the_long_way(const std::string& text, Form form) {
  const std::string tail = "x\u0302";
  auto whole = form(text + " " + tail);
  REQUIRE(whole.ends_with(tail));
  whole.resize(whole.size() - tail.size());
  if (whole.ends_with(' ')) whole.pop_back();
  return whole;
}

}  // namespace

TEST_CASE("ordinary texts take the short way to the same forms", "[validators]") {
  CHECK(rc::check("tidy, fold and caseless", [] {
    const auto text = any_ordinary_text();
    RC_ASSERT(!scan(text).may_have(has_uncommon));
    RC_ASSERT(tidy(text) == the_long_way(text, [](const auto& t) { return tidy(t); }));
    RC_ASSERT(fold(text) == the_long_way(text, [](const auto& t) { return fold(t); }));
    RC_ASSERT(caseless(text) == the_long_way(text, [](const auto& t) { return caseless(t); }));
    RC_CLASSIFY(scan(text).tidy(), "tidy as it is");
  }));
}

TEST_CASE("what a scan does not report is not there", "[validators]") {
  CHECK(rc::check("any text", [] {
    const auto text = any_ordinary_text();
    const auto seen = scan(text);
    const SeenText whole{text};
    if (seen.tidy()) RC_ASSERT(tidy(text) == text);
    if (seen.folds_to_tidy()) RC_ASSERT(fold(text) == tidy(text));
    if (!seen.may_have(has_mixed_word)) RC_ASSERT(!find_mixed_word(text));
    if (!seen.may_have(has_control)) RC_ASSERT(!find_forbidden(text, LineBreaks::forbidden));
    if (!seen.may_have(has_dots | has_untidy)) RC_ASSERT(!find_gap(tidy(text)));
    RC_ASSERT(whole.tidied() == tidy(text));
    RC_ASSERT(whole.has_gap() == find_gap(tidy(text)).has_value());
    RC_ASSERT(whole.points() == scan(tidy(text)).points);
    RC_ASSERT(Folded{whole}.points() == scan(fold(text)).points);
  }));
}

TEST_CASE("letters that are looked at together are those from А to я", "[validators]") {
  // Four at a time, two at a time and one by one, at every place of a word.
  for (char32_t c = 0x0400; c < 0x0480; ++c) {
    std::string letter;
    letter += static_cast<char>(0xC0U | (c >> 6U));
    letter += static_cast<char>(0x80U | (c & 0x3FU));
    const bool plain = c >= U'А' && c <= U'я';
    for (std::size_t at = 0; at < 7; ++at) {
      std::string word;
      for (std::size_t i = 0; i < 7; ++i) word += i == at ? letter : "б";
      const auto seen = scan(word);
      CAPTURE(word, at);
      CHECK(seen.points == 7);
      CHECK(seen.may_have(has_cyrillic));
      if (plain) CHECK(seen.traits == has_cyrillic);
      if (c == U'ё' || c == U'Ё') CHECK(seen.may_have(has_folding));
      if (c > 0x045F) CHECK(seen.may_have(has_uncommon));
    }
  }
}

TEST_CASE("bytes that are no text are uncommon", "[validators]") {
  for (const std::string_view bytes :
       {"\xFF", "\xD0", "а\xD0", "\x80", "\xE2\x80", "\xC0\xAF", "\xF0\x9F\x98", "абвгд\xD1"}) {
    CAPTURE(bytes.size());
    CHECK(scan(bytes).may_have(has_uncommon));
  }
  CHECK(scan("").traits == 0);
  CHECK(scan("").points == 0);
}
