// What a text holds that no pupil should see: words of two alphabets, markup, placeholders. For
// each, left-overs as they come and school texts that only look like them.

#include <catch2/catch.hpp>
#include <string>
#include <string_view>

#include "validators/alphabets.h"
#include "validators/entities.h"
#include "validators/markup.h"
#include "validators/placeholder.h"
#include "validators/text.h"

using namespace flagman::validators;

namespace {

struct Row {
  const char* why;
  std::string text;
  std::string found;  // empty: nothing
};

std::string letters_of(std::string_view text) {
  const auto mixed = find_mixed_word(text);
  return mixed ? mixed->letters + " in " + mixed->word : "";
}

}  // namespace

TEST_CASE("a word of two alphabets is found and its strangers named", "[validators]") {
  const auto row = GENERATE(values<Row>({
      {"a Latin c begins it", "cтеклянный", "«c» U+0063 in cтеклянный"},
      {"a Latin capital begins it", "Hочь темна", "«H» U+0048 in Hочь"},
      {"Latin letters within", "дep\u0435вянный", "«e» U+0065, «p» U+0070 in дepевянный"},
      {"another alphabet within", "яблоkо", "«k» U+006B in яблоkо"},
      {"one that is like no Cyrillic letter", "яблоhо", "«h» U+0068 in яблоhо"},
      {"a Cyrillic letter in a Latin word", "Рython", "«Р» U+0420 in Рython"},
      {"a digit does not part the word", "H2О", "«H» U+0048 in H2О"},
      {"a formula with a Cyrillic letter", "NaСl", "«С» U+0421 in NaСl"},
      {"a stressed letter typed in Latin", "замóк", "«ó» U+00F3 in замóк"},
      {"a Greek letter that looks the same", "мοре", "«ο» U+03BF in мοре"},
      {"the last word", "белый cнег", "«c» U+0063 in cнег"},
      {"Russian", "стеклянный", ""},
      {"Latin", "glass", ""},
      {"two words of two alphabets", "язык Python", ""},
      {"a hyphen parts words", "USB-кабель", ""},
      {"an apostrophe does", "iPhone'ом", ""},
      {"an abbreviation with its ending", "SMSка и PDFом", ""},
      {"a Roman number with its ending", "в XIXв.", ""},
      {"a force with its index", "Fтр и Fтяж", ""},
      {"a quantity whose sign looks Cyrillic", "Tкип, Eк, Pатм, Aполезн", ""},
      {"a brand", "Яndex", ""},
      {"units and formulas", "5 м/с, CO2, СО2, 10А, 5А класс", ""},
      {"stress marks", "за\u0301мок", ""},
      {"Ukrainian letters are Cyrillic", "їжак і ґанок", ""},
  }));
  CAPTURE(row.why, row.text);
  CHECK(letters_of(row.text) == row.found);
}

TEST_CASE("markup is found as it stands", "[validators]") {
  const auto row = GENERATE(values<Row>({
      {"a tag", "<b>слово</b>", "<b>"},
      {"its end alone", "слово</b>", "</b>"},
      {"a tag that closes itself", "слово<br/>ещё", "<br/>"},
      {"with an attribute", "<span style='color:red'>а", "<span style='color:red'>"},
      {"with a bare attribute", "<input disabled>", "<input disabled>"},
      {"in capitals", "<STRONG>а", "<STRONG>"},
      {"a comment", "а<!-- тут -->", "<!--"},
      {"a declaration", "<!DOCTYPE html>", "<!DOCTYPE"},
      {"letters on both sides, and closed", "a<b>c</b>", "<b>"},
      {"an entity", "Столица&nbsp;Франции?", "&nbsp;"},
      {"a numeric one", "а&#160;б", "&#160;"},
      {"a hexadecimal one", "а&#xA0;б", "&#xA0;"},
      {"of no character", "а&#0;", "&#0;"},
      {"in capitals", "Q&AMP;A", "&AMP;"},
      {"without its semicolon", "Столица&nbsp Франции", "&nbsp"},
      {"bold", "слово **важное** здесь", "**важное**"},
      {"emphasized", "слово *важное* здесь", "*важное*"},
      {"code", "слово `код`", "`код`"},
      {"struck out", "~~нет~~", "~~нет~~"},
      {"a heading", "## Часть", "## Ч"},
      {"a heading in the second line", "а\n# Часть", "# Ч"},
      {"a link", "[сюда](https://ya.ru)", "[сюда](https://ya.ru)"},
      {"an image", "![лев](lion.png)", "![лев](lion.png)"},
      {"a table", "|---|---|", "---|"},
      {"a list's star", "* пункт", "* п"},
      {"the end of a BBCode", "[b]а[/b]", "[/b]"},
      {"comparisons", "a < b и b > 3", ""},
      {"comparisons set close", "a<b и c>d", ""},
      {"comparisons of letters", "верно ли a<b>c?", ""},
      {"a type", "vector<int> v", ""},
      {"names with an ampersand", "Группа AT&T и стиль R&B; Том & Джерри", ""},
      {"an address", "http://a.ru/?b=c&d=e", ""},
      {"products", "2 * 3 * 4, 2*3, a*b*c", ""},
      {"answers of arithmetic", "Чем сократить 2/4: *2 или :2?", ""},
      {"a footnote", "слово* и ещё*", ""},
      {"powers", "2**3 и 3**2", ""},
      {"languages", "C++ и C#", ""},
      {"a number sign", "#5 место, #хештег", ""},
      {"notes", "см. [1] и [2](стр. 5)", ""},
      {"a transcription", "[малако]", ""},
      {"an English sound", "звук [b]", ""},
      {"a dialogue", "— Да? — Нет.", ""},
      {"absolute value", "|x| < 3", ""},
      {"about", "~5 км", ""},
  }));
  CAPTURE(row.why, row.text);
  CHECK(find_markup(row.text).value_or("") == row.found);
}

TEST_CASE("a placeholder that was never filled is found", "[validators]") {
  const auto row = GENERATE(values<Row>({
      {"double braces", "Вставьте {{слово}}", "{{слово}}"},
      {"a template's statement", "{% if a %}да", "{% if a %}"},
      {"a template's value", "<%= name %>", "<%= name %>"},
      {"double brackets", "слово [[пропуск-7]] в", "[[пропуск-7]]"},
      {"Latin name in double angles", "<<name>>", "<<name>>"},
      {"of a shell", "${name}", "${name}"},
      {"of Ruby", "#{name}", "#{name}"},
      {"one name in braces", "Это {слово}", "{слово}"},
      {"with spaces", "{ user name }", "{ user name }"},
      {"an id", "{id}", "{id}"},
      {"empty braces", "Это {} слов", "{}"},
      {"numbered braces", "Это {0} слов", "{0}"},
      {"per cents", "%name%", "%name%"},
      {"printf", "Это %s слов", "%s"},
      {"printf with a name", "%(name)s", "%(name)s"},
      {"printf with a number", "%1$s", "%1$s"},
      {"at signs", "@@name@@", "@@name@@"},
      {"low lines", "Привет, __NAME__", "__NAME__"},
      {"angles", "это <слово>", "<слово>"},
      {"angles in English", "<your answer>", "<your answer>"},
      {"an instruction", "[вставьте слово]", "[вставьте слово]"},
      {"an instruction in English", "[Insert word here]", "[Insert word here]"},
      {"a word in capitals", "[СЛОВО]", "[СЛОВО]"},
      {"a numbered word", "[слово-1]", "[слово-1]"},
      {"the gap's name", "в [пропуск] лесу", "[пропуск]"},
      {"a note to oneself", "TODO: ответ", "TODO"},
      {"a typesetter's text", "Lorem ipsum dolor", "Lorem ipsum"},
      {"a script's accident", "[object Object]", "[object Object]"},
      {"a set", "{1; 2} и {а, б}", ""},
      {"an empty set where sets are spoken of", "Множество {} пусто", ""},
      {"a set of one", "A = {0}", ""},
      {"a fractional part", "{x} + {y}", ""},
      {"per cents of a number", "50% и 20 %, 50%-ный", ""},
      {"a transcription", "[слова], [малако], [имя]", ""},
      {"a note", "см. [1]", ""},
      {"a gap", "маши__ый, маши…ый, ___", ""},
      {"a name with low lines", "имя user_name", ""},
      {"a mail address", "a@b.ru", ""},
      {"a type", "List<String>, vector<int>", ""},
      {"a comparison", "x <y> z", ""},
      {"money", "$100", ""},
      {"inserted words", "слово <...> ещё", ""},
      {"a matrix", "[[1, 2], [3, 4]]", ""},
      {"quotation marks of angles", "<<Война и мир>>", ""},
      {"Roman numbers", "XXX век", ""},
  }));
  CAPTURE(row.why, row.text);
  CHECK(find_placeholder(row.text).value_or("") == row.found);
}

TEST_CASE("entities are decoded once, and only those that have a character", "[validators]") {
  CHECK(decode_entities("a &amp; b &lt;i&gt; &laquo;я&raquo; &#1084;&#x43C;") ==
        "a & b <i> «я» мм");
  CHECK(decode_entities("&amp;nbsp;") == "&nbsp;");
  CHECK(decode_entities("AT&T; R&B; &nosuch; &; &#; &#x; &#0; &#xD800; &#1114112;") ==
        "AT&T; R&B; &nosuch; &; &#; &#x; &#0; &#xD800; &#1114112;");
  const auto entity = find_entity("а & б &mdash; в");
  REQUIRE(entity);
  CHECK(entity->begin == 8);
  CHECK(entity->end == 15);
  CHECK(entity->character == U'—');
  CHECK_FALSE(find_entity("а & б &mdash; в", 9));
}

TEST_CASE("look-alikes meet within a word that has a Cyrillic letter", "[validators]") {
  CHECK(with_cyrillic_look_alikes("cтеклo Python coca") == "стекло Python coca");
  CHECK(fold("замóк") == fold("замо\u0301к"));
  CHECK(fold("ëлка") == fold("ёлка"));
  CHECK(fold("сóсна") != fold("сосна"));
}
