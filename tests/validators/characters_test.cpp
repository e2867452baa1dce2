#include "validators/characters.h"

#include <rapidcheck.h>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace flagman::validators;

namespace {

std::string named(const std::string& text, LineBreaks line_breaks = LineBreaks::forbidden) {
  const auto found = find_forbidden(text, line_breaks);
  return found ? code_point_name(found->character) : "";
}

}  // namespace

TEST_CASE("characters that nobody should meet on a board are named", "[validators]") {
  struct Row {
    const char* why;
    std::string text;
    std::string found;  // empty: none
  };
  const auto row = GENERATE(values<Row>({
      {"plain", "машинный, «да» — №1 ±2 …", ""},
      {"markup is another check's question", "<b>а</b> &nbsp;", ""},
      {"no-break space", "а\u00A0б", ""},
      {"thin and narrow spaces", "1\u2009000\u202F000", ""},
      {"stress mark", "за\u0301мок", ""},
      {"non-breaking hyphen", "кто\u2011то", ""},
      {"NUL", std::string("а\0б", 5), "U+0000"},
      {"tab: two columns were glued", "гуси..ый\tн", "U+0009"},
      {"vertical tab", "а\vб", "U+000B"},
      {"escape", "а\u001Bб", "U+001B"},
      {"the last of the low controls", "а\u001Fб", "U+001F"},
      {"line feed", "а\nб", "U+000A"},
      {"carriage return", "а\rб", "U+000D"},
      {"delete", "а\u007Fб", "U+007F"},
      {"the first C1 control", "а\u0080", "U+0080"},
      {"next line is a control", "а\u0085", "U+0085"},
      {"the last C1 control", "а\u009F", "U+009F"},
      {"soft hyphen", "дере\u00ADвянный", "U+00AD"},
      {"zero width space hides a duplicate", "ю\u200Bный", "U+200B"},
      {"zero width non-joiner", "а\u200Cб", "U+200C"},
      {"joiner between letters", "а\u200Dб", "U+200D"},
      {"joiner within a family", "семья 👨\u200D👩\u200D👧", ""},
      {"joiner behind a variation selector", "❤\uFE0F\u200D🔥", ""},
      {"joiner behind a skin tone", "👩🏽\u200D🔬", ""},
      {"joiner in front of an emoji", "\u200D👩", "U+200D"},
      {"joiner behind an emoji", "👩\u200D", "U+200D"},
      {"joiner between an emoji and a letter", "👩\u200Dа", "U+200D"},
      {"joiner between a letter and an emoji", "а\u200D👩", "U+200D"},
      {"two joiners", "👨\u200D\u200D👩", "U+200D"},
      {"zero width space within an emoji", "👨\u200B👩", "U+200B"},
      {"left-to-right mark", "а\u200E", "U+200E"},
      {"right-to-left mark", "а\u200F", "U+200F"},
      {"Arabic letter mark", "а\u061C", "U+061C"},
      {"the first embedding", "а\u202A", "U+202A"},
      {"right-to-left override", "дере\u202Eвянный мост", "U+202E"},
      {"the first isolate", "а\u2066", "U+2066"},
      {"the last isolate", "а\u2069", "U+2069"},
      {"word joiner", "а\u2060б", "U+2060"},
      {"invisible plus", "а\u2064б", "U+2064"},
      {"U+2065 is not listed", "\u2065", ""},
      {"byte order mark", "\uFEFFа", "U+FEFF"},
      {"annotation", "а\uFFF9", "U+FFF9"},
      {"object replacement", "а\uFFFC", "U+FFFC"},
      {"replacement character", "а\uFFFD", "U+FFFD"},
      {"the sign before the specials", "\uFFF8", ""},
      {"private use", "а\uE000", "U+E000"},
      {"the last of the private use area", "а\uF8FF", "U+F8FF"},
      {"private use beyond the first plane", "а\U000F0000", "U+F0000"},
      {"noncharacter at a plane's end", "а\uFFFE", "U+FFFE"},
      {"noncharacter at the last plane's end", "\U0010FFFF", "U+10FFFF"},
      {"noncharacter in the middle", "\uFDD0", "U+FDD0"},
      {"the sign before those", "\uFDCF", ""},
      {"a byte that is not UTF-8", "а\xFF", "U+FFFD"},
      {"a letter cut in half", "а\xD0", "U+FFFD"},
  }));
  CAPTURE(row.why);
  CHECK(named(row.text) == row.found);
}

TEST_CASE("a line break may stand where lines are allowed, a tab nowhere", "[validators]") {
  CHECK(named("а\r\nб", LineBreaks::allowed).empty());
  CHECK(named("а\n\tб", LineBreaks::allowed) == "U+0009");
  CHECK(named("а\n\vб", LineBreaks::allowed) == "U+000B");
  CHECK(named("а\n\u200Bб", LineBreaks::allowed) == "U+200B");
}

TEST_CASE("the first forbidden character is named with its byte", "[validators]") {
  const auto found = find_forbidden("ёж\u00AD\u200B", LineBreaks::forbidden);
  REQUIRE(found);
  CHECK(found->character == U'\u00AD');
  CHECK(found->byte == 4);
  const auto bad = find_forbidden("ё\xD0\u00AD", LineBreaks::forbidden);
  REQUIRE(bad);
  CHECK(bad->byte == 2);
}

TEST_CASE("a joiner joins two pictographs or nothing", "[validators]") {
  const std::string text = "👩🏽\u200D🔬\u200D";
  CHECK(belongs_to_emoji(text, std::string{"👩🏽"}.size()));
  CHECK_FALSE(belongs_to_emoji(text, std::string{"👩🏽\u200D🔬"}.size()));
  CHECK_FALSE(belongs_to_emoji("\uFE0F\u200D🔬", std::string{"\uFE0F"}.size()));
}

TEST_CASE("one forbidden character is found wherever it stands among good ones", "[validators]") {
  CHECK(rc::check("planted", [] {
    const auto good = rc::gen::container<std::vector<std::string>>(
        rc::gen::element<std::string>("а", "ё", " ", "\u0301", "👨\u200D👩", "z", "…"));
    const auto join = [](const std::vector<std::string>& parts) {
      std::string text;
      for (const auto& part : parts) text += part;
      return text;
    };
    const auto before = join(*good);
    const auto after = join(*good);
    const auto bad =
        *rc::gen::element<std::string>("\u00AD", "\u200B", "\u202E", "\t", "\uE123", "\u0001");
    RC_ASSERT(!find_forbidden(before + after, LineBreaks::forbidden));
    const auto found = find_forbidden(before + bad + after, LineBreaks::allowed);
    RC_ASSERT(found);
    RC_ASSERT(found->byte == before.size());
  }));
}
