// Items that give themselves away, by what a package of one game is found to have.

#include "validators/giveaway.h"

#include <catch2/catch.hpp>
#include <string>
#include <string_view>

#include "tests/validators/games.h"
#include "validators/read_package.h"

using namespace flagman::validators;
using flagman::tests::ten_kinds;

namespace {

// How the first item of a game gives itself away; "-" for another fault.
std::string told(const std::string& game) {
  const auto reading =
      read_package(R"x({"format":"flagman.package/1","games":{)x" + game + "}}", ten_kinds(), {});
  for (const auto& finding : reading.findings) {
    CAPTURE(finding.detail, game);
    CHECK(finding.code == Reason::giveaway);
    CHECK(finding.severity == Severity::flag);
    CHECK(to_text(*finding.item).ends_with("/0"));
  }
  CHECK(reading.findings.size() < 2);
  return reading.findings.empty() ? "" : reading.findings[0].detail;
}

std::string quiz(const std::string& question, const std::string& options, int key) {
  return told(R"x("quiz":{"data":[{"q":")x" + question + R"x(","options":[)x" + options +
              R"x(],"key":)x" + std::to_string(key) + "}]}");
}

}  // namespace

TEST_CASE("an option that shows the right one gives a quiz away", "[validators]") {
  struct Row {
    const char* why;
    std::string question, options;
    int key;
    std::string found;  // part of the detail; empty: nothing
  };
  const auto row = GENERATE(values<Row>({
      {"public case: a hint mark", "Где НН?", R"x("гуси..ый","стекля..ый (верный)","пчели..ый")x",
       1, "hint"},
      {"a hint on a wrong one", "Где НН?", R"x("гуси..ый (неверно)","стекля..ый","пчели..ый")x", 1,
       "hint"},
      {"in English", "Who?", R"x("cat [correct]","dog","cow")x", 0, "hint"},
      {"behind a dash", "Кто?", R"x("кот — правильный ответ","пёс","дом")x", 0, "hint"},
      {"ticks on some", "Кто?", R"x("✓ кот","пёс","дом")x", 0, "hint"},
      {"a star on the right one", "Какой?", R"x("стеклянный*","оловянный","дощатый")x", 0, "mark"},
      {"a plus on the right one", "Кто?", R"x("+кот","пёс","дом")x", 0, "mark"},
      {"all of the above", "Кто?", R"x("кот","пёс","Все перечисленные")x", 2, "shuffled"},
      {"all are right", "Кто?", R"x("кот","пёс","Все варианты верны.")x", 0, "shuffled"},
      {"none of them", "Кто?", R"x("кот","пёс","Ничего из перечисленного")x", 0, "shuffled"},
      {"in English", "Who?", R"x("cat","dog","None of the above")x", 0, "shuffled"},
      {"both by their letters", "Кто?", R"x("кот","пёс","Верны А и Б")x", 0, "shuffled"},
      {"told in the question", "Город Париж — столица какой страны из Париж?",
       R"x("Лион","Париж","Марсель")x", 1, "names the right option"},
      {"the right one alone has no gap", "Где НН?", R"x("гуси..ый","стеклянный","пчели..ый")x", 1,
       "gap"},
      {"the right one alone has a gap", "Где НН?", R"x("гусиный","стекля..ый","пчелиный")x", 1,
       "gap"},
      {"the right one alone ends with a stop", "Что?", R"x("Дом.","Сад","Лес")x", 0, "full stop"},
      {"the right one alone has no stop", "Что?", R"x("Дом","Сад.","Лес.")x", 0, "full stop"},
      {"by far the longest", "Что?", R"x("дом","сад","большой и очень подробный ответ")x", 2,
       "longest"},
      {"by far the shortest", "Что?",
       R"x("да","нет, потому что это совсем не так","нет, ведь об этом никто не спрашивал")x", 0,
       "longest"},
      {"verdicts as options", "Земля круглая", R"x("верно","неверно")x", 0, ""},
      {"a verdict on every option", "Что верно?",
       R"x("А — верно, Б — неверно","А — неверно, Б — верно")x", 0, ""},
      {"an analogy", "Пара?", R"x("замок — ключ","лес — поле","дом — сад")x", 0, ""},
      {"a remark", "Какое?", R"x("журавлиный (осень)","гусиный (лето)","соколиный (зима)")x", 0,
       ""},
      {"public case: arithmetic signs", "Чем сократить дробь 2/4: *2 или :2?",
       R"x("*2",":2","/4")x", 1, ""},
      {"two numbers", "Корни?", R"x("1 и 2","2 и 4","3 и 1")x", 0, ""},
      {"two letters", "Гласные?", R"x("а и б","б и в","в и г")x", 0, ""},
      {"languages", "Язык?", R"x("C++","Java","Perl")x", 0, ""},
      {"all, but of what", "Кто?", R"x("все дети","все взрослые","никто")x", 0, ""},
      {"one of two that are asked about", "Что старше: Москва или Казань?",
       R"x("Москва","Казань")x", 0, ""},
      {"one of an enumeration", "Кто мяукает: собака, кошка, корова?", R"x("кошка","лиса","волк")x",
       0, ""},
      {"several options in the question", "Москва старше, чем Казань?",
       R"x("Москва","Казань","Тула")x", 0, ""},
      {"a wrong one in the question", "Что такое наречие?", R"x("глагол","наречие","союз")x", 0,
       ""},
      {"part of a word", "Кто живёт в лесу?", R"x("жив","лес","пёс")x", 0, ""},
      {"a number", "Сколько будет 2 + 0?", R"x("2","3","4")x", 0, ""},
      {"of two options each differs", "Где?", R"x("гуси..ый","стеклянный")x", 1, ""},
      {"two of three have a gap", "Где?", R"x("гуси..ый","стекля..ый","пчелиный")x", 0, ""},
      {"lengths that differ a little", "Кто?", R"x("кот","пёс","бегемот")x", 2, ""},
  }));
  CAPTURE(row.why);
  const auto found = quiz(row.question, row.options, row.key);
  CHECK(found.empty() == row.found.empty());
  CHECK(found.find(row.found) != std::string::npos);
}

TEST_CASE("other games give themselves away too", "[validators]") {
  struct Row {
    const char* why;
    std::string game;
    std::string found;
  };
  const std::string baskets =
      R"x("sort":{"baskets":["Река","Озеро"],"fillings":{"Река":"о","Озеро":"а"},"data":[)x";
  const auto row = GENERATE_COPY(values<Row>({
      {"a text names its basket", baskets + R"x({"w":"река В..лга","key":"Река"}]})x",
       "its own label"},
      {"its filling in brackets", baskets + R"x({"w":"В..лга (о)","key":"Река"}]})x", "remark"},
      {"a verdict in brackets",
       R"x("lie_detector":{"data":[{"s":"Снег чёрный (ложь)","key":"lie"}]})x", "remark"},
      {"the label in brackets", R"x("spotlight":{"data":[{"w":"ветре..ый [skip]","key":"skip"}]})x",
       "remark"},
      {"the question holds the answer",
       R"x("gap":{"data":[{"q":"Столица Франции Париж. Назовите её","key":"Париж"}]})x",
       "holds its answer"},
      {"a further form of it",
       R"x("gap":{"data":[{"q":"Сколько ног у паука? Восемь ног","key":"8","accept":["восемь"]}]})x",
       "holds its answer"},
      {"numbered steps",
       R"x("order":{"data":[{"q":"День","steps":["1. утро","2) день","3: вечер"]}]})x", "numbered"},
      {"steps called so",
       R"x("order":{"data":[{"q":"День","steps":["Шаг 1 утро","Шаг 2 день"]}]})x", "numbered"},
      {"an odd word with a hint",
       R"x("odd_one_out":{"data":[{"words":["щука","сом (ответ)","лев"],"key":2}]
})x",
       "hint"},
      {"both baskets named", baskets + R"x({"w":"река и озеро В..лга","key":"Река"}]})x", ""},
      {"the text is the label",
       R"x("sort":{"baskets":["река","озеро"],"data":[{"w":"река","key":"река"}]})x", ""},
      {"part of a word", baskets + R"x({"w":"заречный В..лга","key":"Река"}]})x", ""},
      {"a fixed label is a word of the program",
       R"x("lie_detector":{"data":[{"s":"Lions lie in the sun","key":"lie"}]})x", ""},
      {"another remark", R"x("lie_detector":{"data":[{"s":"Снег белый (зимой)","key":"truth"}]
})x",
       ""},
      {"a choice is offered", R"x("gap":{"data":[{"q":"длинный или длиный?","key":"длинный"}]})x",
       ""},
      {"a list to choose from", R"x("gap":{"data":[{"q":"Кто мяукает (кот, пёс)?","key":"кот"}]})x",
       ""},
      {"a short answer of two letters",
       R"x("gap":{"data":[{"q":"Пишется нн ли здесь?","key":"нн"}]})x", ""},
      {"numbers that do not go up",
       R"x("order":{"data":[{"q":"День","steps":["2. утро","1. день"]}]})x", ""},
      {"times of the day", R"x("order":{"data":[{"q":"День","steps":["8:00 утро","9:00 день"]}]})x",
       ""},
      {"decimals", R"x("order":{"data":[{"q":"Числа","steps":["1.5 литра","2.5 литра"]}]})x", ""},
  }));
  CAPTURE(row.why);
  const auto found = told(row.game);
  CHECK(found.empty() == row.found.empty());
  CHECK(found.find(row.found) != std::string::npos);
}
