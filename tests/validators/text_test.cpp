#include "validators/text.h"

#include <rapidcheck.h>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace flagman::validators;

namespace {
struct Row {
  const char* why;
  std::string text, want;
};
}  // namespace

TEST_CASE("tidy keeps what a pupil sees and drops what nobody sees", "[validators]") {
  const auto row = GENERATE(values<Row>({
      {"case stays", "звОнит", "звОнит"},
      {"й stays й when it comes decomposed", "мои\u0306", "мой"},
      {"ё stays", "ёлка", "ёлка"},
      {"a stress mark stays", "за\u0301мок", "за\u0301мок"},
      {"a sign stays", "-2", "-2"},
      {"quotes and dashes stay", "«а» — “б”", "«а» — “б”"},
      {"soft hyphen", "дере\u00ADвянный", "деревянный"},
      {"zero-width space", "ю\u200Bный", "юный"},
      {"word joiner and byte order mark", "\uFEFFю\u2060ный", "юный"},
      {"a joiner within an emoji stays", "👨\u200D👩\u200D👧", "👨\u200D👩\u200D👧"},
      {"a joiner behind a skin tone stays", "👩🏽\u200D🔬", "👩🏽\u200D🔬"},
      {"a joiner between letters goes", "а\u200Dб", "аб"},
      {"a joiner at the end goes", "👨\u200D", "👨"},
      {"every kind of space is one space", "а\u00A0\u2009\u3000\t\r\nб", "а б"},
      {"line separators too", "а\u2028б\u2029в\u0085г", "а б в г"},
      {"trimmed", " \u202Fа ", "а"},
      {"two dots", "маши..ый", "маши..ый"},
      {"three dots", "маши...ый", "маши..ый"},
      {"an ellipsis", "маши…ый", "маши..ый"},
      {"a run of ellipses is one gap", "маши……ый", "маши..ый"},
      {"a line", "маши_ый", "маши..ый"},
      {"a long line is one gap", "маши____ый", "маши..ый"},
      {"a full stop is a full stop", "Он ушёл. Она нет.", "Он ушёл. Она нет."},
      {"dots behind a question mark", "Как?..", "Как?.."},
      {"more dots behind a question mark", "Как?...", "Как?..."},
      {"an ellipsis behind an exclamation mark", "Ого!…", "Ого!…"},
      {"a line behind a question mark is a gap", "Кто? _", "Кто? .."},
      {"dots that the invisible parted are one gap", "а.\u200B.б", "а..б"},
      {"not UTF-8", "а\xFF", "а\uFFFD"},
  }));
  CAPTURE(row.why);
  CHECK(tidy(row.text) == row.want);
}

TEST_CASE("fold makes duplicates meet and others not", "[validators]") {
  struct Pair {
    const char* why;
    std::string one, other;
    bool same;
  };
  const auto row = GENERATE(values<Pair>({
      {"ё", "ёлка", "елка", true},
      {"Ё", "Ёж", "Еж", true},
      {"quotes", "«Мцыри»", "“Мцыри”", true},
      {"hyphens", "кто-то", "кто\u2011то", true},
      {"a minus is a dash", "\u22122", "-2", true},
      {"entities", "Том & Джерри", "Том &amp; Джерри", true},
      {"numeric entities", "а\u00A0б", "а&#160;б", true},
      {"hexadecimal entities", "a", "&#x61;", true},
      {"an entity may be a gap", "а&hellip;б", "а..б", true},
      {"Latin c in a Russian word", "cтеклянный", "стеклянный", true},
      {"Latin capital in a Russian word", "Mосква", "Москва", true},
      {"no entity", "AT&T", "AT&amp;T;", false},
      {"a Latin word stays Latin", "cop", "сор", false},
      {"hyphen parts words", "CD-диск", "СD-диск", false},
      {"case", "звОнит", "звонит", false},
      {"й and и", "мой", "мои", false},
      {"a sign", "-2", "2", false},
      {"a space", "несмотря", "не смотря", false},
      {"a comma", "казнить, нельзя", "казнить нельзя,", false},
      {"a stress mark", "за\u0301мок", "замо\u0301к", false},
  }));
  CAPTURE(row.why);
  CHECK((fold(row.one) == fold(row.other)) == row.same);
}

TEST_CASE("lookup is what a dictionary is asked", "[validators]") {
  const auto row = GENERATE(values<Row>({
      {"lower case", "СтекЛЯнный", "стеклянный"},
      {"stress marks go", "за\u0301мок", "замок"},
      {"й stays", "Мой", "мой"},
      {"a grave that composes with its letter goes too", "и\u0300 е\u0300", "и е"},
      {"ё stays", "Ёлка", "ёлка"},
  }));
  CAPTURE(row.why);
  CHECK(lookup(row.text) == row.want);
}

TEST_CASE("a gap is found where it is one", "[validators]") {
  CHECK(find_gap("маши..ый") == std::string{"маши"}.size());
  CHECK_FALSE(find_gap("Как?.."));
  CHECK_FALSE(find_gap("Как?...."));
  CHECK_FALSE(find_gap("а. б."));
  CHECK(find_gap("Как?.. а..б") == std::string{"Как?.. а"}.size());
  CHECK(find_gap("....", 2) == 2);
}

TEST_CASE("length is counted in user-perceived characters", "[validators]") {
  const auto five = GENERATE(values<std::string>({"абвгд", "а\u0301б\u0301в\u0301г\u0301д\u0301",
                                                  "👨\u200D👩\u200D👧🇷🇺👩🏽де"}));
  CHECK(longer_than(five, 4));
  CHECK_FALSE(longer_than(five, 5));
}

TEST_CASE("the word of a filling is the whole word around the gap", "[validators]") {
  CHECK(word_filled("маши..ый", "нн") == "машинный");
  CHECK(word_filled("на ране..ом бойце.", "н") == "раненом");
  CHECK(word_filled("вице-адм..рал флота", "и") == "вице-адмирал");
  CHECK(word_filled("п..л..са", "о") == "полоса");
  CHECK(word_filled("без пропуска", "н").empty());
}

TEST_CASE("tidy of a tidied text changes nothing", "[validators]") {
  CHECK(rc::check("idempotent over letters, spaces and one sort of gap", [] {
    const auto parts = *rc::gen::container<std::vector<std::string>>(
        rc::gen::element<std::string>("а", "й", "и\u0306", " ", "\u00A0", "…", "\u200B", "?", "-"));
    std::string text;
    for (const auto& part : parts) text += part;
    RC_ASSERT(tidy(tidy(text)) == tidy(text));
  }));
}
