#include "validators/number.h"

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
      {"percent", "75 %", "3/4", true},
      {"percent without a space", "75%", "0,75", true},
      {"percent with a fraction", "7,5%", "0.075", true},
      {"not in lowest terms", "6/8", "3/4", true},
      {"spaces around the stroke", "6 / 8", "3/4", true},
      {"a no-break space", "75\u00A0%", "3/4", true},
      {"close is not equal", "0.7", "3/4", false},
      {"a third is not 0.333", "1/3", "0,3333333333333333333333333333", false},
      {"U+2212", "\u22122", "-2", true},
      {"a plus", "+2", "2", true},
      {"a sign counts", "-2", "2", false},
      {"minus zero", "-0", "0", true},
      {"thousands", "1 000", "1000", true},
      {"millions", "12 345 678", "12345678", true},
      {"no octal", "010", "10", true},
      {"very long", std::string(400, '9'), std::string(400, '9') + ",0", true},
      {"very long and other", std::string(400, '9'), std::string(399, '9') + "8", false},
      {"words", "три", "три", false},
  }));
  CAPTURE(row.why);
  CHECK(same_number(row.one, row.other) == row.same);
  CHECK(same_number(row.other, row.one) == row.same);
}

TEST_CASE("what is no number is none", "[validators]") {
  const auto text = GENERATE(
      values<std::string>({"",          "1e3",       "1 1/2", "1/0",   "1/",
                           "/2",        ".5",        "5.",    "1,",    "1 00",
                           "1000 000",  "1 000,5 0", "--1",   "- 1",   "1//2",
                           "1/2/3",     "1/2%",      "%",     "1,2,3", "٣",
                           "1.000.000", "один",      "2..5",  "1/-2",  std::string(1001, '1')}));
  CAPTURE(text);
  CHECK_FALSE(is_number(text));
}
