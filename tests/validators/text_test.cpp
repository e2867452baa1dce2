#include "validators/text.h"
#include "validators/words.h"

#include <rapidcheck.h>
#include <catch2/catch.hpp>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace flagman::validators;

namespace {

struct Row {
  const char* why;
  std::string text, want;
};

struct Pair {
  const char* why;
  std::string one, other;
  bool same;
};

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const auto& part : parts) text += part;
  return text;
}

std::string repeated(std::string_view unit, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += unit;
  return text;
}

}  // namespace

TEST_CASE("tidy keeps what a pupil sees and drops what nobody sees", "[validators]") {
  const auto row = GENERATE(values<Row>({
      {"nothing", "", ""},
      {"case stays", "звОнит", "звОнит"},
      {"й that comes decomposed is й", "мои\u0306", "мой"},
      {"и stays и", "мои", "мои"},
      {"ё that comes decomposed is ё", "е\u0308лка", "ёлка"},
      {"ё stays", "ёлка", "ёлка"},
      {"a stress mark stays", "за\u0301мок", "за\u0301мок"},
      {"marks come in their canonical order", "а\u0301\u0323", "а\u0323\u0301"},
      {"compatibility forms stay", "ﬁ ² №", "ﬁ ² №"},
      {"a sign stays", "-2", "-2"},
      {"quotes and dashes stay", "«а» — “б” – кто-то", "«а» — “б” – кто-то"},
      {"an entity stays", "Том &amp; Джерри", "Том &amp; Джерри"},
      {"Latin look-alikes stay", "cтекло", "cтекло"},
      {"soft hyphen", "дере\u00ADвянный", "деревянный"},
      {"zero width space", "ю\u200Bный", "юный"},
      {"zero width non-joiner", "ю\u200Cный", "юный"},
      {"word joiner and byte order mark", "\uFEFFю\u2060ный\uFEFF", "юный"},
      {"the invisible parts no letter from its mark", "мои\u200B\u0306", "мой"},
      {"a joiner within an emoji stays", "👨\u200D👩\u200D👧", "👨\u200D👩\u200D👧"},
      {"a joiner behind a skin tone stays", "👩🏽\u200D🔬", "👩🏽\u200D🔬"},
      {"a joiner behind a variation selector stays", "❤\uFE0F\u200D🔥", "❤\uFE0F\u200D🔥"},
      {"a joiner between letters goes", "а\u200Dб", "аб"},
      {"a joiner in front goes", "\u200D👨", "👨"},
      {"a joiner at the end goes", "👨\u200D", "👨"},
      {"zero width space within an emoji goes", "👨\u200B👩", "👨👩"},
      {"what is not UTF-8", "а\xFF", "а\uFFFD"},
      {"a letter cut in half", "\xD0 б", "\uFFFD б"},
  }));
  CAPTURE(row.why);
  CHECK(tidy(row.text) == row.want);
}

TEST_CASE("every kind of space and line break is one space", "[validators]") {
  const auto space = GENERATE(values<std::string>(
      {"\t",     "\n",     "\v",     "\f",          "\r",       "\r\n",
       " ",      "  ",     "\u0085", "\u00A0",      "\u1680",   "\u2000",
       "\u2001", "\u2002", "\u2003", "\u2004",      "\u2005",   "\u2006",
       "\u2007", "\u2008", "\u2009", "\u200A",      "\u2028",   "\u2029",
       "\u202F", "\u205F", "\u3000", " \u00A0\n\t", " \u200B ", "\u00A0\u00AD\u00A0"}));
  CAPTURE(space);
  CHECK(tidy("а" + space + "б") == "а б");
  CHECK(tidy(space + "а" + space) == "а");
  CHECK(tidy(space).empty());
}

TEST_CASE("a gap has one spelling, and punctuation is none", "[validators]") {
  const auto row = GENERATE(values<Row>({
      {"two dots", "маши..ый", "маши..ый"},
      {"three dots", "маши...ый", "маши..ый"},
      {"many dots", "маши........ый", "маши..ый"},
      {"an ellipsis", "маши…ый", "маши..ый"},
      {"a run of ellipses is one gap", "маши……ый", "маши..ый"},
      {"a low line", "маши_ый", "маши..ый"},
      {"a long low line is one gap", "маши____ый", "маши..ый"},
      {"in front", "_гра", "..гра"},
      {"at the end", "меч…", "меч.."},
      {"alone", "___", ".."},
      {"two sorts side by side are two gaps", "а…_б", "а....б"},
      {"gaps that a space parts are two", "а.. ..б", "а.. ..б"},
      {"dots that a space parts are full stops", "а. .б", "а. .б"},
      {"dots that the invisible parted are one gap", "а.\u200B.б", "а..б"},
      {"a full stop", "Он ушёл. Она нет.", "Он ушёл. Она нет."},
      {"a full stop in a number", "0.75", "0.75"},
      {"dots behind a question mark", "Как?..", "Как?.."},
      {"dots behind an exclamation mark", "Ого!..", "Ого!.."},
      {"three dots behind a question mark stay three", "Как?...", "Как?..."},
      {"many dots behind both marks", "Как?!....", "Как?!...."},
      {"an ellipsis behind a question mark stays", "Как?…", "Как?…"},
      {"an ellipsis behind an exclamation mark stays", "Ого!…", "Ого!…"},
      {"ellipses behind an exclamation mark stay", "Ого!……", "Ого!……"},
      {"the invisible between mark and dots", "Как?\u200B..", "Как?.."},
      {"a space ends the punctuation", "Как? ...", "Как? .."},
      {"a letter ends the punctuation", "Как?а...", "Как?а.."},
      {"a low line behind a question mark is a gap", "Кто? _", "Кто? .."},
      {"dots behind a colon are a gap", "Ответ:…", "Ответ:.."},
      {"a quotation mark ends the punctuation", "«Как?»…", "«Как?».."},
  }));
  CAPTURE(row.why);
  CHECK(tidy(row.text) == row.want);
}

TEST_CASE("texts are the same word for word by tidy", "[validators]") {
  const auto row = GENERATE(values<Pair>({
      {"spellings of a gap", "орли…ый взор", "орли...ый взор", true},
      {"a no-break space and a line break at the end", "нежда..ый гость", "нежда..ый\u00A0гость\n",
       true},
      {"й in two compositions", "чудесный край", "чудесный краи\u0306", true},
      {"a stress mark moved", "за\u0301мок", "замо\u0301к", false},
      {"a stress mark dropped", "за\u0301мок", "замок", false},
      {"a repaired misprint", "стекля..а ваза", "стекля..ая ваза", false},
      {"ё", "ёлка", "елка", false},
      {"quotes", "«а»", "\"а\"", false},
      {"dashes", "а — б", "а – б", false},
      {"case", "Юный", "юный", false},
      {"a full stop", "а.", "а", false},
  }));
  CAPTURE(row.why);
  CHECK(same_text(row.one, row.other) == row.same);
  CHECK(same_text(row.other, row.one) == row.same);
}

TEST_CASE("fold makes duplicates meet, and nothing else", "[validators]") {
  const auto row = GENERATE(values<Pair>({
      {"ё", "ёлка", "елка", true},
      {"Ё", "Ёж", "Еж", true},
      {"ё that comes decomposed", "е\u0308лка", "елка", true},
      {"guillemets and curly quotes", "«Мцыри»", "“Мцыри”", true},
      {"low and straight quotes", "„Мцыри“", "\"Мцыри\"", true},
      {"single quotes", "‘а’", "'а'", true},
      {"an apostrophe is a quote", "об’єм", "об'єм", true},
      {"angle quotes and primes", "‹а›", "′а″", true},
      {"hyphens", "кто-то", "кто\u2011то", true},
      {"dashes", "а – б", "а — б", true},
      {"a minus is a dash", "\u22122", "-2", true},
      {"a hyphen and no hyphen", "кто-то", "кто то", false},
      {"an entity", "Том & Джерри", "Том &amp; Джерри", true},
      {"a quote as an entity", "«а»", "&laquo;а&quot;", true},
      {"a space as an entity", "а б", "а&nbsp;б", true},
      {"numeric entities", "а\u00A0б", "а&#160;б", true},
      {"hexadecimal entities", "aя", "&#x61;&#X44F;", true},
      {"a gap as an entity", "а&hellip;б", "а..б", true},
      {"a soft hyphen as an entity", "а&shy;б", "аб", true},
      {"a dash as an entity", "а&mdash;б", "а-б", true},
      {"decoded once, not twice", "&amp;lt;", "<", false},
      {"decoded once", "&amp;lt;", "&lt;", false},
      {"no entity without a name", "AT&T", "AT&amp;T", true},
      {"an entity ends with its own semicolon alone", "AT&T", "AT&amp;T;", false},
      {"no entity of that name", "R&B;", "R", false},
      {"entities are not numbers beyond Unicode", "&#x110000;", "\uFFFD", false},
      {"nor lone surrogates", "&#xD800;", "\uFFFD", false},
      {"Latin c in a Russian word", "cтеклянный", "стеклянный", true},
      {"Latin capitals in a Russian word", "MOСКВA", "МОСКВА", true},
      {"every look-alike", "яABCEHKMOPTXYaceopxy", "яАВСЕНКМОРТХУасеорху", true},
      {"a Latin letter that looks like none stays", "яt", "ят", false},
      {"a Latin word stays Latin", "cop", "сор", false},
      {"a hyphen parts words", "CD-диск", "СD-диск", false},
      {"a gap parts words", "c..я", "с..я", false},
      {"a mark does not part a word", "о\u0301cень", "о\u0301сень", true},
      {"case", "звОнит", "звонит", false},
      {"stress by a capital", "звОнит", "звонИт", false},
      {"й and и", "мой", "мои", false},
      {"a sign", "-2", "2", false},
      {"a space", "несмотря", "не смотря", false},
      {"a comma", "казнить, нельзя", "казнить нельзя,", false},
      {"a stress mark", "за\u0301мок", "замо\u0301к", false},
      {"a stress mark or none", "за\u0301мок", "замок", false},
      {"a full stop", "да.", "да", false},
      {"a question mark", "да?", "да!", false},
      {"brackets", "(а)", "[а]", false},
  }));
  CAPTURE(row.why, fold(row.one), fold(row.other));
  CHECK((fold(row.one) == fold(row.other)) == row.same);
}

TEST_CASE("lookup is what a dictionary is asked", "[validators]") {
  const auto row = GENERATE(values<Row>({
      {"lower case", "СтекЛЯнный", "стеклянный"},
      {"an acute goes", "за\u0301мок", "замок"},
      {"a grave goes", "во\u0300додобы\u0301ча", "вододобыча"},
      {"a grave that composes with its letter goes", "все\u0300", "все"},
      {"on и too", "И\u0300", "и"},
      {"й stays", "Мой", "мой"},
      {"a grave that composes with its letter goes too", "и\u0300 е\u0300", "и е"},
      {"й that comes decomposed stays", "мои\u0306", "мой"},
      {"ё stays", "Ёлка", "ёлка"},
      {"ё that comes decomposed stays", "е\u0308лка", "ёлка"},
      {"a hyphen stays", "Кто-То", "кто-то"},
      {"the invisible goes", "дере\u00ADвянный ", "деревянный"},
  }));
  CAPTURE(row.why);
  CHECK(lookup(row.text) == row.want);
}

TEST_CASE("caseless is tidy apart from case", "[validators]") {
  const auto row = GENERATE(values<Pair>({
      {"Cyrillic", "ДВЕ НН", "две нн", true},
      {"full folding", "STRASSE", "straße", true},
      {"a final sigma", "ΣΑΣ", "σας", true},
      {"tidy comes first", " Маши…ЫЙ", "маши..ый", true},
      {"ё stays", "ёж", "еж", false},
      {"й stays", "МОЙ", "мои", false},
      {"a stress mark stays", "ЗА\u0301МОК", "замок", false},
  }));
  CAPTURE(row.why);
  CHECK((caseless(row.one) == caseless(row.other)) == row.same);
}

TEST_CASE("a gap is found where it is one", "[validators]") {
  CHECK(find_gap("маши..ый") == std::string{"маши"}.size());
  CHECK(find_gap("..") == 0);
  CHECK_FALSE(find_gap(""));
  CHECK_FALSE(find_gap("."));
  CHECK_FALSE(find_gap("а. б."));
  CHECK_FALSE(find_gap("Как?.."));
  CHECK_FALSE(find_gap("Как!..."));
  CHECK_FALSE(find_gap("Как?...."));
  CHECK_FALSE(find_gap("Как?.. Так!.."));
  CHECK(find_gap("Как?.. а..б") == std::string{"Как?.. а"}.size());
  CHECK(find_gap("....", 2) == 2);
  CHECK(find_gap("а..б..в", 3) == std::string{"а..б"}.size());
  CHECK_FALSE(find_gap("а..б", 4));
}

TEST_CASE("length is counted in user-perceived characters", "[validators]") {
  struct Unit {
    const char* why;
    std::string character;
  };
  const auto unit = GENERATE(values<Unit>({
      {"a letter", "а"},
      {"a letter with a stress mark", "а\u0301"},
      {"a letter with three marks", "а\u0301\u0323\u0330"},
      {"й decomposed", "и\u0306"},
      {"a family", "👨\u200D👩\u200D👧"},
      {"a flag", "🇷🇺"},
      {"a skin tone", "👩🏽"},
      {"a keycap", "1\uFE0F\u20E3"},
      {"a line break of two bytes", "\r\n"},
      {"a Hangul syllable in parts", "\u1112\u1161\u11AB"},
  }));
  CAPTURE(unit.why);
  CHECK(longer_than(repeated(unit.character, 5), 4));
  CHECK_FALSE(longer_than(repeated(unit.character, 5), 5));
  CHECK(longer_than(repeated(unit.character, 501), 500));
  CHECK_FALSE(longer_than(repeated(unit.character, 500), 500));
}

TEST_CASE("length has its ends", "[validators]") {
  CHECK_FALSE(longer_than("", 0));
  CHECK(longer_than("а", 0));
  CHECK(longer_than("\xFF\xFF", 1));
}

TEST_CASE("a word ends where no letter, digit or mark touches it", "[validators]") {
  const std::string text = "(ёж\u0301) 7_я";
  const auto at = [&](std::string_view sign) { return text.find(sign); };
  CHECK_FALSE(word_character_before(text, 0));
  CHECK_FALSE(word_character_before(text, at("ё")));
  CHECK(word_character_before(text, at("ж")));
  CHECK(word_character_before(text, at("\u0301")));
  CHECK(word_character_before(text, at(")")));
  CHECK(word_character_before(text, at("_")));
  CHECK_FALSE(word_character_before(text, at("я")));
  CHECK(word_character_before(text, text.size()));
  CHECK_FALSE(word_character_at(text, 0));
  CHECK(word_character_at(text, at("\u0301")));
  CHECK(word_character_at(text, at("7")));
  CHECK_FALSE(word_character_at(text, at("_")));
  CHECK(word_character_at(text, at("я")));
  CHECK_FALSE(word_character_at(text, text.size()));
  CHECK_FALSE(word_character_at("а\xFF", 2));
}

TEST_CASE("the word of a filling is the whole word around the gap", "[validators]") {
  struct Filled {
    const char* why;
    std::string text, filling, want;
  };
  const auto row = GENERATE(values<Filled>({
      {"one gap", "маши..ый", "нн", "машинный"},
      {"alone in a sentence", "На ране..ом бойце.", "н", "раненом"},
      {"two gaps of one word", "п..л..са", "о", "полоса"},
      {"gaps side by side", "а....б", "н", "аннб"},
      {"only the first word with a gap", "серебря..ый и деревя..ый", "н", "серебряный"},
      {"a hyphen belongs to the word", "вице-адм..рал флота", "и", "вице-адмирал"},
      {"an apostrophe too", "об'..м", "є", "об'єм"},
      {"a stress mark too", "за\u0301..ый", "н", "за\u0301ный"},
      {"digits too", "5..й", "-", "5-й"},
      {"brackets do not", "(юн..й)", "ы", "юный"},
      {"a full stop does not", "а.б..в.г", "-", "б-в"},
      {"at the start", "..гра", "и", "игра"},
      {"at the end", "меч..", "", "меч"},
      {"a gap alone", "Кто .. он", "же", "же"},
      {"no gap", "без пропуска", "н", ""},
      {"punctuation is no gap", "Как?.. Так", "н", ""},
      {"behind punctuation", "Как?.. мо..й", "р", "морй"},
  }));
  CAPTURE(row.why);
  CHECK(word_filled(row.text, row.filling) == row.want);
}

TEST_CASE("tidy of a tidied text changes nothing where gaps stand apart", "[validators]") {
  CHECK(rc::check("idempotent", [] {
    // Two gaps side by side read as one the second time: each run was a gap of its own.
    const auto parts = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
        "а", "й", "и\u0306", " ", "\u00A0", "…а", "__а", "...а", "\u200B", "?", "?..", "!...", "-",
        "👨\u200D👩", "\u200D", "\u0301", "\uFEFF", "\n"));
    const auto tidied = tidy(joined(parts));
    RC_ASSERT(tidy(tidied) == tidied);
  }));
}

TEST_CASE("fold and caseless see no more than tidy leaves", "[validators]") {
  CHECK(rc::check("forms of a form", [] {
    const auto text =
        joined(*rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
            "а", "Ё", "c", "«", "—", " ", "\u00A0", "\u200B", "и\u0306", "_я", "&lt;", "о\u0301")));
    const auto tidied = tidy(text);
    RC_ASSERT(fold(text) == fold(tidied));
    RC_ASSERT(caseless(text) == caseless(tidied));
    RC_ASSERT(lookup(text) == lookup(tidied));
    RC_ASSERT(caseless(caseless(text)) == caseless(text));
    RC_ASSERT(lookup(lookup(text)) == lookup(text));
  }));
}

TEST_CASE("what nobody sees changes no form, wherever it stands", "[validators]") {
  CHECK(rc::check("planted", [] {
    const auto parts = *rc::gen::container<std::vector<std::string>>(
        rc::gen::element<std::string>("а", "я", "\u0301", ".", "…", "_", "?", " ", "\u0306", "c"));
    std::string plain, planted;
    for (const auto& part : parts) {
      plain += part;
      planted += part + *rc::gen::element<std::string>("", "\u00AD", "\u200B", "\u200C", "\u200D",
                                                       "\u2060", "\uFEFF");
    }
    RC_ASSERT(tidy(planted) == tidy(plain));
    RC_ASSERT(fold(planted) == fold(plain));
  }));
}

TEST_CASE("composed and decomposed spellings have one form", "[validators]") {
  CHECK(rc::check("NFC and NFD", [] {
    const auto letters = *rc::gen::container<std::vector<std::pair<std::string, std::string>>>(
        rc::gen::element<std::pair<std::string, std::string>>(
            std::pair{"й", "и\u0306"}, std::pair{"ё", "е\u0308"}, std::pair{"Й", "И\u0306"},
            std::pair{"é", "e\u0301"}, std::pair{"а", "а"}, std::pair{"…", "…"}));
    std::string composed, decomposed;
    for (const auto& [one, other] : letters) {
      composed += one;
      decomposed += other;
    }
    RC_ASSERT(tidy(composed) == tidy(decomposed));
    RC_ASSERT(tidy(decomposed).find("\u0306") == std::string::npos);
  }));
}
