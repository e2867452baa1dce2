#include "validators/characters.h"

#include <catch2/catch.hpp>
#include <string>

using namespace flagman::validators;

TEST_CASE("characters that nobody should meet on a board are named", "[validators]") {
  struct Row {
    const char* why;
    std::string text;
    std::string found;  // empty: none
  };
  const auto row = GENERATE(values<Row>({
      {"plain", "машинный, «да» — №1 ±2", ""},
      {"no-break space", "а\u00A0б", ""},
      {"NUL", std::string("а\0б", 5), "U+0000"},
      {"tab", "а\tб", "U+0009"},
      {"line feed", "а\nб", "U+000A"},
      {"delete", "а\x7F", "U+007F"},
      {"C1 control", "а\u0085", "U+0085"},
      {"soft hyphen", "а\u00ADб", "U+00AD"},
      {"zero-width space", "а\u200Bб", "U+200B"},
      {"zero-width non-joiner", "а\u200Cб", "U+200C"},
      {"a lone joiner", "а\u200Dб", "U+200D"},
      {"a joiner within an emoji", "👨\u200D👩", ""},
      {"a joiner behind a variation selector", "❤\uFE0F\u200D🔥", ""},
      {"left-to-right mark", "а\u200E", "U+200E"},
      {"Arabic letter mark", "а\u061C", "U+061C"},
      {"right-to-left override", "дере\u202Eвянный", "U+202E"},
      {"isolate", "а\u2066", "U+2066"},
      {"word joiner", "а\u2060б", "U+2060"},
      {"invisible plus", "а\u2064б", "U+2064"},
      {"byte order mark", "\uFEFFа", "U+FEFF"},
      {"replacement character", "а\uFFFD", "U+FFFD"},
      {"annotation", "а\uFFF9", "U+FFF9"},
      {"private use", "а\uE000", "U+E000"},
      {"private use beyond the first plane", "а\U000F0000", "U+F0000"},
      {"noncharacter", "а\uFFFE", "U+FFFE"},
      {"noncharacter in the middle", "\uFDD0", "U+FDD0"},
      {"U+2065 is not listed", "\u2065", ""},
  }));
  CAPTURE(row.why);
  const auto found = find_forbidden(row.text, LineBreaks::forbidden);
  CHECK((found ? code_point_name(found->character) : "") == row.found);
}

TEST_CASE("a line break may stand where lines are allowed, a tab nowhere", "[validators]") {
  CHECK_FALSE(find_forbidden("а\r\nб", LineBreaks::allowed));
  const auto tab = find_forbidden("а\n\tб", LineBreaks::allowed);
  REQUIRE(tab);
  CHECK(tab->byte == 3);
}
