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
std::string pattern_of(const std::string& left, int letters_max, const std::string& also = "") {
  std::string pattern;
  std::size_t at = 0;
  while (const auto gap = find_gap(left, at)) {
    pattern += RE2::QuoteMeta(left.substr(at, *gap - at));
    pattern += "(?:\\p{L}\\p{M}*" + also + "){0," + std::to_string(letters_max) + "}";
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

struct Agreement {
  int compared = 0, expanding = 0;
};

// Every left side with a gap against every right side without one. Where the letters а and б change
// places on both sides, nothing else changes: a left side that has б first is its twin's question
// asked again, and compiling an expression is what takes the time here.
Agreement compare_all(const std::vector<std::string>& texts, const FillingPolicy& policy,
                      const std::string& also) {
  std::vector<std::string> rights;
  for (const auto& text : texts) {
    if (!find_gap(text)) rights.push_back(text);
  }
  Agreement agreement;
  for (const auto& left : texts) {
    if (!find_gap(left) || left.find("б") < left.find("а")) continue;
    const RE2 expression{pattern_of(left, policy.letters_max, also)};
    REQUIRE(expression.ok());
    for (const auto& right : rights) {
      const bool ours = check_pair_expansion(left, right, policy) == yes;
      ++agreement.compared;
      if (ours != RE2::FullMatch(right, expression)) {
        CAPTURE(left, right, ours);
        FAIL("differs from RE2");
      }
      agreement.expanding += ours ? 1 : 0;
    }
  }
  return agreement;
}

std::string repeated(std::string_view unit, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += unit;
  return text;
}

// A literal part of a pair: anything but a gap.
std::string literal() {
  std::string text;
  const auto parts = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "а", "б", "н", "ё", "о\u0301", " ", "-", "(", "[1]", "*", "?", "\\", "$", "7"));
  for (const auto& part : parts) text += part;
  return text;
}

std::string filling(int letters_max) {
  std::string text;
  const auto letters = *rc::gen::inRange(0, letters_max + 1);
  for (int i = 0; i < letters; ++i) text += *rc::gen::element<std::string>("н", "о", "е\u0301");
  return text;
}

struct BuiltPair {
  std::string left, right;
};

// Built from its answer. Its literal parts begin with a letter that no filling has, so that no dot
// of a gap follows a `?`, and its last part cannot be swallowed.
BuiltPair built_pair() {
  BuiltPair pair;
  const auto gaps = *rc::gen::inRange(1, 4);
  for (int i = 0; i < gaps; ++i) {
    const auto part = literal() + "ж";
    pair.left += part + "..";
    pair.right += part + filling(6);
  }
  pair.left += "щ";
  pair.right += "щ";
  return pair;
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
      {"one letter", "обл..стной центр", "областной центр", yes},
      {"nothing is a filling too", "меч..", "меч", yes},
      {"nothing within a word", "опас..ный", "опасный", yes},
      {"a gap in front", "..делать уроки", "сделать уроки", yes},
      {"a gap alone", "..", "слово", yes},
      {"a gap alone, filled with nothing", "..", "", yes},
      {"a gap alone, two words", "..", "два слова", no},
      {"two gaps, each in its own word", "серебря..ый и деревя..ый", "серебряный и деревянный",
       yes},
      {"two gaps of one word", "к..рм..н", "карман", yes},
      {"a literal that the filling holds too", "а..н", "аннн", yes},
      {"a literal that begins like the filling", "а..нн", "анннн", yes},
      {"the second gap needs what the first could take", "а..б..б", "аббб", yes},
      {"three gaps share one word", "..а..а..", "аааа", yes},
      {"gaps side by side share the room", "а....я", "абвгдежзиклмня", yes},
      {"and have no more of it than both", "а....я", "абвгдежзиклмнпя", no},
      {"a stress mark rides along", "зв..т", "звони\u0301т", yes},
      {"six letters with their marks fit", "а..я", "аб\u0301в\u0301г\u0301д\u0301е\u0301ж\u0301я",
       yes},
      {"marks are no letters", "а..я", "аб\u0301\u0301\u0301\u0301\u0301\u0301\u0301я", yes},
      {"a mark on the letter before the gap is no filling", "за..ок", "за\u0301мок", no},
      {"a mark may belong to the literal behind the gap", "а..\u0301б", "ав\u0301б", yes},
      {"a mark alone is no filling", "а..", "а\u0301", no},
      {"ending lost, recorded run", "маши..а вязка", "машинная вязка", no},
      {"an ending lost in an adjective", "стекля..а ваза", "стеклянная ваза", no},
      {"beginning lost", "..ный", "машинный день", no},
      {"another word", "маши..ый", "деревянный", no},
      {"a filling stays in one word", "не..дан", "не ждан", no},
      {"a second word is no filling", "маши..ая", "машинная деревянная", no},
      {"no hyphen fills a gap", "кто..то", "кто-то", no},
      {"no apostrophe fills a gap", "об..ем", "об'ем", no},
      {"no digit fills a gap", "а..б", "а1б", no},
      {"no signs fill a gap", "ране..ый боец", "ране47%ый боец", no},
      {"no full stop fills a gap", "а..б", "а.б", no},
      {"no letter number fills a gap", "а..б", "аⅫб", no},
      {"no emoji fills a gap", "а..б", "а😀б", no},
      {"a letter of another script does", "а..б", "аxб", yes},
      {"a letter beyond the first plane does", "а..б", "а𐐷б", yes},
      {"six letters fit", "а..я", "абвгдежя", yes},
      {"seven letters are too many", "а..я", "абвгдежзя", no},
      {"case counts", "Маши..ый", "машинный", no},
      {"ё is not е", "л..д тёмный", "лёд темный", no},
      {"a trailing full stop counts", "маши..ый.", "машинный", no},
      {"brackets are signs of the text", "журавли..ый клин (осень) [1]",
       "журавлиный клин (осень) [1]", yes},
      {"a bracket is no class", "[аб]..", "ан", no},
      {"a star is no pattern", "а*..", "ааб", no},
      {"a star is a star", "а*..", "а*б", yes},
      {"a single dot is a dot", "а.б..", "авбн", no},
      {"a backslash is a backslash", "\\d..", "5н", no},
      {"a dollar is a dollar", "5$..", "5$н", yes},
      {"a stroke is no choice", "а|б..", "а", no},
      {"a quantifier is text", "а{2}..", "аан", no},
      {"no gap on the left, equal sides", "машинный", "машинный", no},
      {"a gap on the right", "маши..ый", "маши..ый", no},
      {"a gap on the right that is another's filling", "а..б..", "а..бв", no},
      {"punctuation is no gap", "Как?..", "Как?", no},
      {"punctuation stays within a text with a gap", "Как?.. юн..й", "Как?.. юный", yes},
      {"punctuation is not filled", "Как?.. юн..й", "Какая юный", no},
      {"punctuation on the right is no gap", "эх..", "эх?..", no},
      {"letter cut in half", "а..", "а\xD0", no},
      {"the left cut in half", "\xD0..", "\xD0а", no},
      {"the same bad byte on both sides", "а\xFF..", "а\xFFб", no},
      {"the right is shorter than what stands before the gap", "маши..", "маш", no},
      {"the right is shorter than what stands behind the gap", "..ный", "й", no},
      {"nothing at all", "", "", no},
      {"nothing on the right", "а..", "", no},
  }));
  CAPTURE(row.why, row.left, row.right);
  CHECK(check_pair_expansion(row.left, row.right, {.letters_max = 6}) == row.want);
}

TEST_CASE("the policy says how many letters fill a gap", "[validators]") {
  for (int letters_max = 0; letters_max <= 12; ++letters_max) {
    CAPTURE(letters_max);
    const FillingPolicy policy{.letters_max = letters_max};
    CHECK(check_pair_expansion("а..я", "а" + repeated("б", letters_max) + "я", policy) == yes);
    CHECK(check_pair_expansion("а..я", "а" + repeated("б", letters_max + 1) + "я", policy) == no);
    CHECK(check_pair_expansion("а..", "а" + repeated("и\u0301", letters_max), policy) == yes);
    CHECK(check_pair_expansion("а..", "а" + repeated("и\u0301", letters_max + 1), policy) == no);
  }
}

TEST_CASE("a game may let hyphens and spaces fill its gaps", "[validators]") {
  struct Row {
    const char* why;
    std::string_view left, right, also;
    Expansion want;
  };
  const auto row = GENERATE(values<Row>({
      {"a hyphen", "кто..то", "кто-то", "-", yes},
      {"a space", "не..дан", "не ждан", " ", yes},
      {"both", "не..дан", "не - дан", "- ", yes},
      {"a hyphen where a space may", "не..дан", "не-дан", " ", no},
      {"a space where a hyphen may", "не..дан", "не дан", "-", no},
      {"each counts like a letter", "а..я", "а------я", "-", yes},
      {"and no more of them fit", "а..я", "а-------я", "-", no},
      {"letters and hyphens share the room", "а..я", "абв-гд-я", "-", yes},
      {"no mark rides on a hyphen", "а..я", "а-\u0301я", "-", no},
      {"a dash is no hyphen", "а..я", "а–я", "- ", no},
      {"a no-break space is no space before tidy", "а..я", "а\u00A0я", "- ", no},
  }));
  CAPTURE(row.why);
  CHECK(check_pair_expansion(row.left, row.right, {.letters_max = 6, .also = row.also}) ==
        row.want);
}

TEST_CASE("the matcher agrees with RE2 over every short pair", "[validators]") {
  const auto agreement =
      compare_all(all_texts({"а", "б", ".", "\u0301"}, 6), {.letters_max = 2}, "");
  CHECK(agreement.compared > 1'000'000);
  CHECK(agreement.expanding > 10'000);
}

TEST_CASE("the matcher agrees with RE2 where a hyphen may fill too", "[validators]") {
  const auto agreement =
      compare_all(all_texts({"а", "-", ".", "\u0301"}, 5), {.letters_max = 2, .also = "-"}, "|-");
  CHECK(agreement.expanding > 1'000);
}

TEST_CASE("a pair that was built from its answer expands", "[validators]") {
  CHECK(rc::check("filled", [] {
    const auto pair = built_pair();
    RC_ASSERT(find_gap(pair.left));
    RC_ASSERT(check_pair_expansion(pair.left, pair.right, {}) == yes);
  }));
}

TEST_CASE("a pair that lost a letter of its literal part does not expand", "[validators]") {
  CHECK(rc::check("letter dropped", [] {
    const auto pair = built_pair();
    // The last letter, or one before a gap: no filling has them.
    const auto* const lost = *rc::gen::element("щ", "ж");
    auto right = pair.right;
    right.erase(right.find(lost), std::string_view{lost}.size());
    RC_ASSERT(check_pair_expansion(pair.left, right, {}) == no);
  }));
}

TEST_CASE("a pair with more than letters in its gap does not expand", "[validators]") {
  CHECK(rc::check("garbage filled in", [] {
    auto pair = built_pair();
    const auto garbage = *rc::gen::element<std::string>(" ", "-", "7", "%", "'", "’", "+", "№");
    pair.right.insert(pair.right.rfind("щ"), garbage);
    RC_ASSERT(check_pair_expansion(pair.left, pair.right, {}) == no);
    RC_ASSERT(check_pair_expansion(pair.left, pair.right, {.also = "- "}) ==
              (garbage == " " || garbage == "-"
                   ? check_pair_expansion(pair.left, pair.right, {.also = garbage})
                   : no));
  }));
}

TEST_CASE("long sides are no trouble", "[validators]") {
  // A recursive matcher overflows the stack at such a length.
  const auto letters = repeated("а", 60'000);
  CHECK(check_pair_expansion(letters + "..ый", letters + "нный", {}) == yes);
  CHECK(check_pair_expansion(letters + "..ый", letters + "ннный и", {}) == no);
  // A backtracking one would not come back from this.
  CHECK(check_pair_expansion(repeated("..а", 100) + "б", repeated("а", 300) + "в", {}) == no);
}
