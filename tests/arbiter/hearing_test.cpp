#include "arbiter/hearing.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tests/arbiter/packages.h"

using namespace flagman::arbiter;
using namespace flagman::arbiter::testing;
using flagman::validators::GameTerms;

namespace {

std::string name_of_verdict(Verdict verdict) {
  switch (verdict) {
    case Verdict::uphold:
      return "uphold";
    case Verdict::flag_disagrees:
      return "disagrees";
    case Verdict::flag_unstable:
      return "unstable";
    case Verdict::flag_contradicts_itself:
      return "contradicts itself";
    case Verdict::flag_none:
      return "none";
  }
  return "?";
}

Item read(const std::string& kind, const std::string& written, const GameTerms& terms) {
  auto item = flagman::validators::read_item(written, kind_named(kind), terms, {kind, 0}, {});
  REQUIRE(item.sound());
  return item;
}

Ballot says(flagman::validators::Answer answer) { return {true, std::move(answer), {}, {}}; }

const GameTerms baskets{{"Одна Н", "Две НН"}, {{"Одна Н", "н"}, {"Две НН", "нн"}}, true, {}, {}};

// "text (word)", the author's with a star.
std::vector<std::string> shown(const std::vector<Candidate>& candidates) {
  std::vector<std::string> texts;
  for (const auto& candidate : candidates) {
    texts.push_back((candidate.authors ? "*" : "") + candidate.text +
                    (candidate.word.empty() ? "" : " (" + candidate.word + ")"));
  }
  return texts;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("candidates are the author's answer and every other, each once, sorted", "[arbiter]") {
  struct Row {
    const char* why;
    std::string kind, written;
    std::vector<std::string> answers;
    Texts want;
  };
  const auto row = GENERATE(values<Row>({
      {"the author's sorts last",
       "sort",
       R"({"w": "маши…ый", "key": "Одна Н"})",
       {"Две НН"},
       {"Две НН (машинный)", "*Одна Н (машиный)"}},
      {"the author's sorts first",
       "sort",
       R"({"w": "маши…ый", "key": "Две НН"})",
       {"Одна Н", "Две НН"},
       {"*Две НН (машинный)", "Одна Н (машиный)"}},
      {"others once each, by tidy",
       "gap",
       R"({"q": "Кто?", "key": "кот"})",
       {"пёс", " пёс", "пес", "кот"},
       {"*кот", "пес", "пёс"}},
      {"nobody says otherwise, one is heard alone",
       "gap",
       R"({"q": "Кто?", "key": "кот"})",
       {"кот", "кот "},
       {"*кот"}},
      {"accepted forms and equal numbers are the author's answer",
       "gap",
       R"({"q": "Сколько?", "key": "3/4", "accept": ["три четверти"]})",
       {"0,75", "три четверти", "75%", "0,7"},
       {"0,7", "*3/4"}},
      {"only `tidy` makes others one",
       "gap",
       R"({"q": "Сколько?", "key": "3/4"})",
       {"1/2", "0,5", "2/4"},
       {"0,5", "1/2", "2/4", "*3/4"}},
      {"the author's spelling stands for it",
       "quiz",
       R"({"q": "Где?", "options": ["а  б", "в"], "key": 0})",
       {"а б", "в"},
       {"*а  б", "в"}},
      {"sorted by bytes, not as people do",
       "gap",
       R"({"q": "Кто?", "key": "ёж"})",
       {"яж", "Яж"},
       {"Яж", "яж", "*ёж"}},
      {"the right option's word is known by what it asks",
       "quiz",
       R"({"q": "Где НН?", "options": ["ране..ый", "маши..ый"], "key": 1, "asks": "нн"})",
       {"ране..ый"},
       {"*маши..ый (машинный)", "ране..ый"}},
  }));
  CAPTURE(row.why);
  std::vector<Ballot> ballots;
  for (const auto& answer : row.answers) ballots.push_back(says(answer));
  const auto& terms = row.kind == "sort" ? baskets : GameTerms{{}, {}, false, {}, {}};
  CHECK(shown(make_candidates(read(row.kind, row.written, terms), kind_named(row.kind), terms,
                              ballots, {})) == row.want);
}

TEST_CASE("a number that code may not compare is another candidate", "[arbiter]") {
  Policy policy;
  policy.authority.short_answers = false;
  const GameTerms terms{{}, {}, false, {}, {}};
  const auto item = read("gap", R"({"q": "Сколько?", "key": "3/4"})", terms);
  CHECK(shown(make_candidates(item, kind_named("gap"), terms, {says("0,75"), says("3/4")},
                              policy)) == Texts{"0,75", "*3/4"});
}

TEST_CASE("an order of steps is one text, a wheel is sound or unsound", "[arbiter]") {
  const GameTerms terms{{}, {}, false, {}, {}};
  using Steps = std::vector<std::string>;
  const auto order = read("order", R"({"q": "Порядок", "steps": ["раз", "два", "три"]})", terms);
  CHECK(shown(make_candidates(order, kind_named("order"), terms,
                              {says(Steps{"два", "раз", "три"}), says(Steps{"раз", "два ", "три"})},
                              {})) == Texts{"два → раз → три", "*раз → два → три"});

  const auto wheel = read("wheel", "\"изране..ый\"", terms);
  CHECK(shown(make_candidates(wheel, kind_named("wheel"), terms, {Ballot{}, Ballot{}}, {})) ==
        Texts{"*sound", "unsound"});
}

TEST_CASE("the question shows the candidates in both orders and not whose they are", "[arbiter]") {
  const Setting setting{"Н и НН", "русский язык", "ru", 9, "sort", {}, {"Одна Н", "Две НН"}};
  const auto question = [&](bool first_is_authors, Order order) {
    const std::vector<Candidate> candidates{{"Две НН", "машинный", first_is_authors},
                                            {"Одна Н", "машиный", !first_is_authors}};
    return to_json(make_question(setting, 3, "маши…ый", "", candidates, order));
  };
  const std::string beginning =
      R"({"kind":"sort","topic":"Н и НН","subject":"русский язык","grade":9,"language":"ru",)"
      R"("labels":["Одна Н","Две НН"],"i":3,"w":"маши…ый","candidates":)";
  CHECK(question(true, Order::ab) == beginning + R"(["Две НН","Одна Н"]})");
  CHECK(question(true, Order::ba) == beginning + R"(["Одна Н","Две НН"]})");
  CHECK(question(false, Order::ab) == question(true, Order::ab));
  CHECK(question(false, Order::ba) == question(true, Order::ba));
}

TEST_CASE("the arbiter's reply is read as strictly as a solver's", "[arbiter]") {
  const std::vector<Candidate> candidates{{"Две НН", "", true}, {"Одна Н", "", false}};
  const std::vector<std::string> echoes{"ране..ый", "маши…ый", ""};
  struct Row {
    const char* why;
    std::string body, want;  // a refusal, or the index of the choice
  };
  const auto row = GENERATE(values<Row>({
      {"the first", R"({"i":1,"w":"маши…ый","why":"да","choice":"Две НН"})", "0"},
      {"the second, by tidy", R"({"choice":" Одна  Н","why":"да","w":"маши..ый","i":1})", "1"},
      {"cannot be decided", R"({"i":1,"w":"маши…ый","why":"","choice":null})", "null"},
      {"fenced, with prose",
       "Рассуждаю.\n```json\n{\"i\":1,\"w\":\"маши…ый\",\"why\":\"\",\"choice\":\"Одна "
       "Н\"}\n```",
       "1"},
      {"the word null is no candidate", R"({"i":1,"w":"маши…ый","why":"","choice":"null"})",
       "outside_domain"},
      {"another label", R"({"i":1,"w":"маши…ый","why":"","choice":"Три Н"})", "outside_domain"},
      {"the label in another case", R"({"i":1,"w":"маши…ый","why":"","choice":"две нн"})",
       "outside_domain"},
      {"the position for the choice", R"({"i":1,"w":"маши…ый","why":"","choice":1})",
       "wrong_shape"},
      {"two choices", R"({"i":1,"w":"маши…ый","why":"","choice":["Две НН"]})", "wrong_shape"},
      {"no choice", R"({"i":1,"w":"маши…ый","why":""})", "wrong_shape"},
      {"no why", R"({"i":1,"w":"маши…ый","choice":"Две НН"})", "wrong_shape"},
      {"a key of its own", R"({"i":1,"w":"маши…ый","why":"","choice":"Две НН","key":"Одна Н"})",
       "wrong_shape"},
      {"the index as a string", R"({"i":"1","w":"маши…ый","why":"","choice":null})", "wrong_shape"},
      {"1.0 is no integer", R"({"i":1.0,"w":"маши…ый","why":"","choice":null})", "wrong_shape"},
      {"a list of rulings", R"([{"i":1,"w":"маши…ый","why":"","choice":null}])", "wrong_shape"},
      {"an item that the game does not have", R"({"i":3,"w":"маши…ый","why":"","choice":null})",
       "unknown_index"},
      {"a negative item", R"({"i":-1,"w":"маши…ый","why":"","choice":null})", "unknown_index"},
      {"another item, not echoed", R"({"i":0,"w":"маши…ый","why":"","choice":"Две НН"})",
       "echo_mismatch"},
      {"another item, echoed", R"({"i":0,"w":"ране..ый","why":"","choice":"Две НН"})",
       "incomplete"},
      {"an item that has no text", R"({"i":2,"w":"","why":"","choice":"Две НН"})", "echo_mismatch"},
      {"not echoed and outside the domain", R"({"i":1,"w":"машинный","why":"","choice":"Три"})",
       "echo_mismatch"},
      {"another item and outside the domain", R"({"i":0,"w":"ране..ый","why":"","choice":"Три"})",
       "incomplete"},
      {"choice twice", R"({"i":1,"w":"маши…ый","why":"","choice":null,"choice":"Две НН"})",
       "not_json"},
      {"nothing", "", "empty"},
  }));
  CAPTURE(row.why);
  const auto ruling = parse_ruling(replied(row.body), 1, candidates, echoes);
  std::string got = "null";
  if (!ruling) {
    got = name_of(ruling.error());
  } else if (ruling->choice) {
    got = std::to_string(*ruling->choice);
  }
  CHECK(got == row.want);
  CHECK(parse_ruling({ResponseStatus::truncated, row.body}, 1, candidates, echoes).error() ==
        Refusal::truncated);
}

TEST_CASE("of what a hearing shows the first that holds counts", "[arbiter]") {
  // The author's is candidate 0; «против» names the other alone.
  const std::vector<Candidate> candidates{{"Две НН", "машинный", true},
                                          {"Одна Н", "машиный", false}};
  constexpr auto none = std::nullopt;
  using Choice = std::optional<std::size_t>;
  const std::string against = "Здесь одна Н.", plain = "Так правильно.";
  struct Row {
    const char* why;
    Choice ab, ba;
    std::string why_ab, why_ba, want;
  };
  const auto row = GENERATE_COPY(values<Row>({
      {"the author's in both", 0, 0, plain, plain, "uphold"},
      {"without a word", 0, 0, "", "", "uphold"},
      {"followed the position", 0, 1, plain, plain, "unstable"},
      {"followed the other position", 1, 0, plain, plain, "unstable"},
      {"one null and one not", none, 0, plain, plain, "unstable"},
      {"one not and one null", 1, none, plain, plain, "unstable"},
      {"null in both", none, none, plain, plain, "none"},
      {"another's in both", 1, 1, plain, plain, "disagrees"},
      {"against its choice in ab", 0, 0, against, plain, "contradicts itself"},
      {"against its choice in ba", 0, 0, plain, against, "contradicts itself"},
      {"unstable before contradiction", 0, 1, against, plain, "unstable"},
      {"none before contradiction", none, none, against, against, "none"},
      {"disagrees before contradiction", 1, 1, "Две НН, машинный", "Две НН", "disagrees"},
  }));
  CAPTURE(row.why);
  CHECK(name_of_verdict(decide_hearing(
            candidates, {Ruling{row.ab, row.why_ab}, Ruling{row.ba, row.why_ba}})) == row.want);
}

TEST_CASE("a single order is heard alone", "[arbiter]") {
  const std::vector<Candidate> candidates{{"Две НН", "", true}, {"Одна Н", "", false}};
  CHECK(decide_hearing(candidates, {{0, ""}}) == Verdict::uphold);
  CHECK(decide_hearing(candidates, {{1, ""}}) == Verdict::flag_disagrees);
  CHECK(decide_hearing(candidates, {{std::nullopt, ""}}) == Verdict::flag_none);
  CHECK(decide_hearing(candidates, {{0, "одна н"}}) == Verdict::flag_contradicts_itself);
}

TEST_CASE("an explanation contradicts when it names another and not the chosen", "[arbiter]") {
  struct Row {
    const char* why;
    std::vector<Candidate> candidates;  // the first is the author's and the choice
    std::string explanation;
    bool contradicts;
  };
  const std::vector<Candidate> labels{{"Две НН", "машинный", true}, {"Одна Н", "машиный", false}};
  const std::vector<Candidate> letters{{"Н", "", true}, {"НН", "", false}};
  const std::vector<Candidate> marked{{"звонит", "", true}, {"звони", "", false}};
  const auto row = GENERATE_COPY(values<Row>({
      {"names nothing", labels, "Так велит правило.", false},
      {"names the chosen", labels, "Здесь две НН.", false},
      {"names another", labels, "Здесь одна Н.", true},
      {"names both", labels, "Не одна Н, а две НН.", false},
      {"apart from case", labels, "ЗДЕСЬ ОДНА Н", true},
      {"names another's word, recorded run", labels, "Правильно: «машиный».", true},
      {"another's word in another case", labels, "МАШИНЫЙ", true},
      {"names the chosen word", labels, "Правильно: «машинный».", false},
      {"another's word and the chosen label", labels, "Две НН, а не машиный.", false},
      {"another's label and the chosen word", labels, "Не одна Н: машинный.", false},
      {"part of the label is not it", labels, "Одна буква, а именно Н.", false},
      {"the word within a longer one", labels, "машиныйный, немашиный, машиный1, 1машиный", false},
      {"a hyphen is no letter", labels, "полу-машиный", true},
      {"an underscore is no letter", labels, "_машиный_", true},
      {"the label's spaces by tidy", labels, "одна\u00A0\n Н", true},
      {"at the very end", labels, "машиный", true},

      {"«Н» within «НН» is not named", letters, "Пишется НН.", true},
      {"«НН» is named, and «Н»", letters, "Не НН, а Н.", false},
      {"«НН» within «ННН» is not named", letters, "Пишется ННН.", false},
      {"the second occurrence is whole", letters, "ННН, то есть НН", true},
      {"a digit touches", letters, "НН2", false},

      {"the longer word does not name the shorter", marked, "Он звонит.", false},
      {"a mark touches the end", marked, "Он звони\u0301.", false},
      {"a mark in the chosen word is another word", marked, "звони, не звони\u0301т", true},
      {"a mark touches the beginning", {{"да", "", true}, {"нет", "", false}}, "о\u0301нет", false},
      {"only the stressed form is meant",
       {{"зво\u0301нит", "", true}, {"звони\u0301т", "", false}},
       "Верно: звони\u0301т.",
       true},
      {"the same apart from case: both are named",
       {{"звОнит", "", true}, {"звонИт", "", false}},
       "звонит",
       false},
      {"one of two others",
       {{"кот", "", true}, {"пёс", "", false}, {"мышь", "", false}},
       "Это мышь.",
       true},
      {"a candidate with signs", {{"3/4", "", true}, {"-2", "", false}}, "Выходит -2.", true},
      {"a number within a number",
       {{"3/4", "", true}, {"2", "", false}},
       "Выходит 12 или 20.",
       false},
      {"a number after a comma stands alone",
       {{"3/4", "", true}, {"5", "", false}},
       "Выходит 0,5.",
       true},
      {"an order of steps",
       {{"раз → два", "", true}, {"два → раз", "", false}},
       "Сначала Два → Раз.",
       true},
      {"unsound does not name sound",
       {{"sound", "", true}, {"unsound", "", false}},
       "It is unsound.",
       true},
      {"one candidate alone has nothing against it", {{"кот", "", true}}, "Это пёс.", false},
  }));
  CAPTURE(row.why, row.explanation);
  const Verdict want = row.contradicts ? Verdict::flag_contradicts_itself : Verdict::uphold;
  CHECK(name_of_verdict(decide_hearing(row.candidates, {{0, row.explanation}})) ==
        name_of_verdict(want));
}
