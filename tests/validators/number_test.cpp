#include "validators/number.h"

#include <rapidcheck.h>
#include <catch2/catch.hpp>
#include <string>

using namespace flagman::validators;

TEST_CASE("numbers are equal as exact rationals, however they are written", "[validators]") {
  struct Row {
    const char* why;
    std::string one, other;
    bool same;
  };
  const auto row = GENERATE(values<Row>({
      {"decimal comma", "0,75", "3/4", true},
      {"decimal point", "0.75", "3/4", true},
      {"percent set off", "75 %", "3/4", true},
      {"percent", "75%", "0,75", true},
      {"percent with a fraction", "7,5%", "0.075", true},
      {"percent with a fraction, set off", "7,5 %", "3/40", true},
      {"a hundred percent", "100 %", "1", true},
      {"percent is no plain number", "75 %", "75", false},
      {"not in lowest terms", "6/8", "75%", true},
      {"spaces around the stroke", "6 / 8", "3/4", true},
      {"a space on one side", "6 /8", "6/ 8", true},
      {"a no-break space", "75\u00A0%", "3/4", true},
      {"spaces at the ends", " 75% ", "75%", true},
      {"trailing zeros", "0,750", "0,75", true},
      {"a whole number with a fraction", "2,0", "2", true},
      {"an improper fraction", "7/2", "3,5", true},
      {"close is not equal", "0.7", "3/4", false},
      {"a third is not 0.333…", "1/3", "0,3333333333333333333333333333", false},
      {"beyond a double", "9007199254740993", "9007199254740992", false},
      {"U+2212", "\u22122", "-2", true},
      {"U+2212 in front of a fraction", "\u22121/2", "-0,5", true},
      {"a plus", "+2", "2", true},
      {"a plus in front of a percentage", "+50%", "1/2", true},
      {"a sign counts", "-2", "2", false},
      {"U+2212 counts", "\u22122", "2", false},
      {"minus zero", "-0", "0", true},
      {"nothing of something", "0/5", "0,00", true},
      {"thousands", "1 000", "1000", true},
      {"thousands set off by a narrow no-break space", "1\u202F000", "1000", true},
      {"millions", "12 345 678", "12345678", true},
      {"thousands with a fraction", "1 000,5", "1000.5", true},
      {"thousands in both parts", "1 000/2 000", "1/2", true},
      {"thousands in percent", "1 000 %", "10", true},
      {"a comma never sets off thousands", "1,000", "1000", false},
      {"a comma with zeros is the number before it", "1,000", "1", true},
      {"no octal", "010", "10", true},
      {"no octal behind the comma", "0,010", "1/100", true},
      {"no octal under the stroke", "1/010", "1/10", true},
      {"very long", std::string(400, '9'), std::string(400, '9') + ",0", true},
      {"very long and other", std::string(400, '9'), std::string(399, '9') + "8", false},
      {"as long as a number may be", std::string(1000, '7'), "+" + std::string(999, '7'), false},
      {"the same words are no numbers", "три", "три", false},
      {"only one is a number", "3", "три", false},
  }));
  CAPTURE(row.why, row.one, row.other);
  CHECK(same_number(row.one, row.other) == row.same);
  CHECK(same_number(row.other, row.one) == row.same);
}

TEST_CASE("what is no number is none", "[validators]") {
  const auto text = GENERATE(values<std::string>(
      {"",         " ",        "1e3",       "1E3",     "1e-3",      "0x10",
       "1 1/2",    "1/0",      "0/0",       "1/000",   "1/",        "/2",
       ".5",       ",5",       "5.",        "1,",      "1 00",      "1 0000",
       "1000 000", "1 000 00", "1 000,5 0", "0,5 000", "--1",       "+-1",
       "- 1",      "+ 1",      "\u2212 1",  "\u20131", "1-",        "1//2",
       "1/2/3",    "1/2%",     "1,5/2",     "1/2,5",   "1/-2",      "%",
       "75%%",     "% 75",     "1,2,3",     "1.2.3",   "1.000.000", "1'000",
       "٣",        "１",       "½",         "один",    "2..5",      "2…5",
       "3 шт",     "№3",       "3;",        "inf",     "NaN",       std::string(1001, '1')}));
  CAPTURE(text);
  CHECK_FALSE(is_number(text));
  CHECK_FALSE(same_number(text, text));
}

TEST_CASE("the longest number is one", "[validators]") {
  CHECK(is_number(std::string(1000, '1')));
  CHECK(is_number("1/" + std::string(998, '7')));
}

TEST_CASE("a fraction equals itself extended, and no other", "[validators]") {
  CHECK(rc::check("extended", [] {
    const auto above = *rc::gen::inRange(0, 10'000);
    const auto below = *rc::gen::inRange(1, 10'000);
    const auto by = *rc::gen::inRange(1, 100);
    const auto fraction = [](int one, int other) {
      return std::to_string(one) + "/" + std::to_string(other);
    };
    RC_ASSERT(same_number(fraction(above, below), fraction(above * by, below * by)));
    RC_ASSERT(!same_number(fraction(above, below), fraction(above * by + 1, below * by)));
    RC_ASSERT(!same_number(fraction(above + 1, below), "-" + fraction(above + 1, below)));
  }));
}

TEST_CASE("hundredths are the same as a decimal, a fraction and a percentage", "[validators]") {
  CHECK(rc::check("three spellings", [] {
    const auto hundredths = *rc::gen::inRange(0, 100'000);
    const auto last = std::to_string(hundredths % 100);
    const auto decimal =
        std::to_string(hundredths / 100) + "," + std::string(2 - last.size(), '0') + last;
    RC_ASSERT(same_number(decimal, std::to_string(hundredths) + "/100"));
    RC_ASSERT(same_number(decimal, std::to_string(hundredths) + " %"));
    RC_ASSERT(!same_number(decimal, std::to_string(hundredths + 1) + "%"));
  }));
}
