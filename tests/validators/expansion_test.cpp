#include "validators/expansion.h"

#include <rapidcheck.h>
#include <re2/re2.h>
#include <catch2/catch.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "validators/text.h"

using namespace flagman::validators;

namespace {

constexpr auto yes = Expansion::expands;
constexpr auto no = Expansion::does_not_expand;

// The same question as a regular expression: what the matcher must agree with. Of a left side with
// a gap.
std::string pattern_of(const std::string& left, int letters_max) {
  std::string pattern;
  std::size_t at = 0;
  while (const auto gap = find_gap(left, at)) {
    pattern += RE2::QuoteMeta(left.substr(at, *gap - at));
    pattern += "(?:\\p{L}\\p{M}*){0," + std::to_string(letters_max) + "}";
    at = *gap + gap_spelling.size();
  }
  return pattern + RE2::QuoteMeta(left.substr(at));
}

// All texts of up to `length` signs of the alphabet.
std::vector<std::string> all_texts(const std::vector<std::string>& alphabet, int length) {
  std::vector<std::string> texts{""};
  std::size_t begin = 0;
  for (int i = 0; i < length; ++i) {
    const auto end = texts.size();
    for (; begin < end; ++begin) {
      for (const auto& sign : alphabet) texts.push_back(texts[begin] + sign);
    }
  }
  return texts;
}

}  // namespace

TEST_CASE("a pair expands when only letters fill its gaps", "[validators]") {
  struct Row {
    const char* why;
    std::string_view left, right;
    Expansion want;
  };
  const auto row = GENERATE(values<Row>({
      {"gap filled", "маши..ый", "машинный", yes},
      {"nothing is a filling too", "меч..", "меч", yes},
      {"nothing within a word", "опас..ный", "опасный", yes},
      {"a gap in front", "..гра", "игра", yes},
      {"two gaps", "к..рм..н", "карман", yes},
      {"a stress mark rides along", "зв..т", "звони\u0301т", yes},
      {"a mark of the literal part is not the gap's", "за..ок", "за\u0301мок", no},
      {"ending lost, recorded run", "маши..а вязка", "машинная вязка", no},
      {"a filling stays in one word", "не..дан", "не ждан", no},
      {"no hyphen fills a gap", "кто..то", "кто-то", no},
      {"no digit fills a gap", "а..б", "а1б", no},
      {"six letters fit", "а..я", "абвгдежя", yes},
      {"seven letters are too many", "а..я", "абвгдежзя", no},
      {"case counts", "Маши..ый", "машинный", no},
      {"brackets are letters of the text", "клин (осень) [1]..", "клин (осень) [1]а", yes},
      {"a star is no pattern", "а*..", "ааб", no},
      {"no gap on the left", "машинный", "машинный", no},
      {"a gap on the right", "маши..ый", "маши..ый", no},
      {"punctuation is no gap", "Как?..", "Как?", no},
      {"letter cut in half", "а..", "а\xD0", no},
      {"the left cut in half", "\xD0..", "\xD0а", no},
      {"two gaps side by side", "а....я", "абвгдежзиклмя", yes},
      {"nothing at all", "", "", no},
  }));
  CAPTURE(row.why, row.left, row.right);
  CHECK(check_pair_expansion(row.left, row.right, {.letters_max = 6}) == row.want);
}

TEST_CASE("a game may let hyphens and spaces fill its gaps", "[validators]") {
  CHECK(check_pair_expansion("кто..то", "кто-то", {.letters_max = 6, .also = "-"}) == yes);
  CHECK(check_pair_expansion("не..дан", "не ждан", {.letters_max = 6, .also = "- "}) == yes);
  CHECK(check_pair_expansion("не..дан", "не-дан", {.letters_max = 6, .also = " "}) == no);
}

TEST_CASE("the matcher agrees with RE2 over every short pair", "[validators]") {
  const auto texts = all_texts({"а", "б", ".", "\u0301"}, 5);
  const auto rights = all_texts({"а", "б", "\u0301"}, 4);
  int expanding = 0;
  int compared = 0;
  for (const auto& left : texts) {
    if (!find_gap(left)) continue;
    const RE2 expression{pattern_of(left, 2)};
    REQUIRE(expression.ok());
    for (const auto& right : rights) {
      const bool ours = check_pair_expansion(left, right, {.letters_max = 2}) == yes;
      ++compared;
      if (ours != RE2::FullMatch(right, expression)) {
        CAPTURE(left, right, ours);
        FAIL("differs from RE2");
      }
      expanding += ours ? 1 : 0;
    }
  }
  CHECK(compared > 10'000);
  CHECK(expanding > 500);
}

TEST_CASE("a pair that was built from its answer expands, and one that lost a letter does not",
          "[validators]") {
  const auto letters = rc::gen::container<std::vector<std::string>>(
      rc::gen::element<std::string>("а", "б", "в", "н", "ё"));
  CHECK(rc::check("built pairs", [&] {
    std::string left, right;
    const auto parts = *rc::gen::inRange(1, 4);
    for (int i = 0; i < parts; ++i) {
      for (const auto& letter : *letters) {
        left += letter;
        right += letter;
      }
      left += "..";
      const auto filling = *rc::gen::inRange(0, 7);
      for (int k = 0; k < filling; ++k) right += *rc::gen::element<std::string>("н", "о");
    }
    left += "я";
    right += "я";
    RC_ASSERT(check_pair_expansion(left, right, {}) == yes);
    // The last letter stands behind the last gap: without it nothing can fill its place.
    RC_ASSERT(check_pair_expansion(left, right.substr(0, right.size() - 2), {}) == no);
  }));
}
