#include "arbiter/ballot.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/arbiter/packages.h"

using namespace flagman::arbiter;
using namespace flagman::arbiter::testing;

namespace {

// A game with the sheet of its first `open` items; the others are settled.
struct Asked {
  BlindSheet sheet;
  std::vector<std::string> echoes;
};

Asked ask_about(const std::string& kind, const std::string& game, int open) {
  auto start = start_games("{\"" + kind + "\": " + game + "}");
  const auto& progress = start.state.games.at(0);
  Asked asked{progress.sheets.at(0).sheet, progress.echoes};
  asked.sheet.items.resize(static_cast<std::size_t>(open));
  return asked;
}

std::string parsed(const Asked& asked, const ModelResponse& response) {
  const auto ballots = parse_ballots(response, asked.sheet, asked.echoes);
  return ballots ? "" : std::string{name_of(ballots.error())};
}

std::string parsed(const Asked& asked, const std::string& body) {
  return parsed(asked, ModelResponse{ResponseStatus::ok, body});
}

Json entries(std::initializer_list<std::string> texts) {
  Json reply;
  reply["answers"] = Json::array();
  for (const auto& text : texts) reply["answers"].push_back(Json::parse(text));
  return reply;
}

const std::string spotlight = R"({"data": [
  {"w": "ноль", "key": "skip"}, {"w": "один", "key": "skip"}, {"w": "два", "key": "catch"},
  {"w": "три", "key": "skip"}, {"w": "четыре", "key": "catch"}, {"w": "пять", "key": "catch"}]})";

std::string entry(int i, const std::string& w, const std::string& answer = "catch") {
  return R"({"i":)" + std::to_string(i) + R"(,"w":")" + w + R"(","ok":true,"answer":")" + answer +
         R"(","why":""})";
}

}  // namespace

TEST_CASE("a ballot is what the solver said, in the sheet's order", "[arbiter]") {
  const auto asked = ask_about("spotlight", spotlight, 3);
  const auto ballots = parse_ballots(replied(R"({"answers": [
        {"why": "c", "answer": "skip", "ok": false, "w": "два", "i": 2},
        {"i": 0, "w": "ноль", "ok": true, "answer": "catch", "why": "a"},
        {"i": 1, "w": "один", "ok": true, "answer": "skip", "why": "b"}]})"),
                                     asked.sheet, asked.echoes);
  REQUIRE(ballots);
  REQUIRE(ballots->size() == 3);
  std::string said;
  for (const auto& ballot : *ballots) {
    said += std::get<std::string>(ballot.answer) + (ballot.sound ? "+" : "-") + ballot.why + " ";
    CHECK_FALSE(ballot.relation);
  }
  CHECK(said == "catch+a skip+b skip-c ");
}

TEST_CASE("an answer is taken in exactly its shape", "[arbiter]") {
  const auto asked = ask_about("spotlight", R"({"data": [{"w": "маши…ый", "key": "catch"}]})", 1);
  struct Row {
    const char* why;
    std::string entry, want;
  };
  const auto row = GENERATE(values<Row>({
      {"as asked", R"({"i":0,"w":"маши…ый","ok":true,"answer":"catch","why":""})", ""},
      {"echo by tidy", R"({"i":0,"w":" маши..ый ","ok":true,"answer":" catch","why":"да"})", ""},
      {"echo in another case", R"({"i":0,"w":"Маши..ый","ok":true,"answer":"catch","why":""})",
       "echo_mismatch"},
      {"echo with the gap filled", R"({"i":0,"w":"машинный","ok":true,"answer":"catch","why":""})",
       "echo_mismatch"},
      {"number as a string, recorded run",
       R"({"i":"0","w":"маши…ый","ok":true,"answer":"catch","why":""})", "wrong_shape"},
      {"0.0 is no integer", R"({"i":0.0,"w":"маши…ый","ok":true,"answer":"catch","why":""})",
       "wrong_shape"},
      {"0e0 is no integer", R"({"i":0e0,"w":"маши…ый","ok":true,"answer":"catch","why":""})",
       "wrong_shape"},
      {"null is no integer", R"({"i":null,"w":"маши…ый","ok":true,"answer":"catch","why":""})",
       "wrong_shape"},
      {"false is no integer", R"({"i":false,"w":"маши…ый","ok":true,"answer":"catch","why":""})",
       "wrong_shape"},
      {"negative index", R"({"i":-1,"w":"маши…ый","ok":true,"answer":"catch","why":""})",
       "unknown_index"},
      {"past the game's end", R"({"i":1,"w":"маши…ый","ok":true,"answer":"catch","why":""})",
       "unknown_index"},
      {"one that is 0 in 32 bits",
       R"({"i":4294967296,"w":"маши…ый","ok":true,"answer":"catch","why":""})", "unknown_index"},
      {"one that is 0 in 64 bits",
       R"({"i":18446744073709551615,"w":"маши…ый","ok":true,"answer":"catch","why":""})",
       "unknown_index"},
      {"w is a number", R"({"i":0,"w":1,"ok":true,"answer":"catch","why":""})", "wrong_shape"},
      {"ok as a string", R"({"i":0,"w":"маши…ый","ok":"true","answer":"catch","why":""})",
       "wrong_shape"},
      {"ok as a number", R"({"i":0,"w":"маши…ый","ok":1,"answer":"catch","why":""})",
       "wrong_shape"},
      {"answer as an array, recorded run",
       R"({"i":0,"w":"маши…ый","ok":true,"answer":["catch"],"why":""})", "wrong_shape"},
      {"answer null", R"({"i":0,"w":"маши…ый","ok":true,"answer":null,"why":""})", "wrong_shape"},
      {"why null", R"({"i":0,"w":"маши…ый","ok":true,"answer":"catch","why":null})", "wrong_shape"},
      {"why is missing", R"({"i":0,"w":"маши…ый","ok":true,"answer":"catch"})", "wrong_shape"},
      {"no answer, though unsound", R"({"i":0,"w":"маши…ый","ok":false,"why":""})", "wrong_shape"},
      {"a field too many", R"({"i":0,"w":"маши…ый","ok":true,"answer":"catch","why":"","p":1})",
       "wrong_shape"},
      {"relation where there are no pairs",
       R"({"i":0,"w":"маши…ый","ok":true,"answer":"catch","why":"","relation":"other"})",
       "wrong_shape"},
      {"a field by another name", R"({"i":0,"w":"маши…ый","ok":true,"answers":"catch","why":""})",
       "wrong_shape"},
      {"another label", R"({"i":0,"w":"маши…ый","ok":true,"answer":"hold","why":""})",
       "outside_domain"},
      {"the label in another case", R"({"i":0,"w":"маши…ый","ok":true,"answer":"Catch","why":""})",
       "outside_domain"},
      {"no label", R"({"i":0,"w":"маши…ый","ok":true,"answer":"","why":""})", "outside_domain"},
      {"not an object", R"([0,"маши…ый",true,"catch",""])", "wrong_shape"},
  }));
  CAPTURE(row.why);
  CHECK(parsed(asked, R"({"answers":[)" + row.entry + "]}") == row.want);
}

TEST_CASE("a reply is one object with a list of answers", "[arbiter]") {
  const auto asked = ask_about("spotlight", R"({"data": [{"w": "маши…ый", "key": "catch"}]})", 1);
  const auto good = entry(0, "маши…ый");
  struct Row {
    const char* why;
    std::string body, want;
  };
  const auto row = GENERATE_COPY(values<Row>({
      {"as asked", R"({"answers":[)" + good + "]}", ""},
      {"the list alone", "[" + good + "]", "wrong_shape"},
      {"the answer alone", good, "wrong_shape"},
      {"by another name", R"({"Answers":[)" + good + "]}", "wrong_shape"},
      {"one field too many", R"({"answers":[)" + good + R"(],"note":""})", "wrong_shape"},
      {"not a list", R"({"answers":{"0":)" + good + "}}", "wrong_shape"},
      {"no fields", "{}", "wrong_shape"},
      {"nobody answered", R"({"answers":[]})", "incomplete"},
      {"answers twice", R"({"answers":[],"answers":[)" + good + "]}", "not_json"},
      {"i twice in an answer",
       R"({"answers":[{"i":0,"i":0,"w":"маши…ый","ok":true,"answer":"catch","why":""}]})",
       "not_json"},
      {"a lone surrogate in the why",
       R"({"answers":[{"i":0,"w":"маши…ый","ok":true,"answer":"catch","why":"\udc00"}]})",
       "not_json"},
      {"a trailing comma", R"({"answers":[)" + good + ",]}", "not_json"},
      {"fenced", "```json\n{\"answers\":[" + good + "]}\n```", ""},
  }));
  CAPTURE(row.why);
  CHECK(parsed(asked, row.body) == row.want);
}

TEST_CASE("answers about settled items are echoed or spoil the reply, and are ignored",
          "[arbiter]") {
  // Items 0 and 1 are open; the game has four more.
  const auto asked = ask_about("spotlight", spotlight, 2);
  const auto zero = entry(0, "ноль"), one = entry(1, "один");
  struct Row {
    const char* why;
    Json reply;
    std::string want;
  };
  const auto row = GENERATE_COPY(values<Row>({
      {"open items alone", entries({zero, one}), ""},
      {"a settled one, echoed", entries({entry(5, "пять"), zero, one}), ""},
      {"a settled one that is not echoed", entries({zero, one, entry(5, "шесть")}),
       "echo_mismatch"},
      {"a settled one with another's echo", entries({zero, one, entry(5, "четыре")}),
       "echo_mismatch"},
      {"a settled one, outside the domain", entries({zero, one, entry(5, "пять", "hold")}), ""},
      {"a settled one twice", entries({zero, entry(5, "пять"), one, entry(5, "пять")}),
       "duplicate_index"},
      {"a settled one for an open one", entries({zero, entry(5, "пять")}), "incomplete"},
      {"one that the game does not have", entries({zero, one, entry(6, "шесть")}), "unknown_index"},
      {"explanations slid by one, recorded run", entries({entry(0, "один"), entry(1, "ноль")}),
       "echo_mismatch"},
      {"an open one twice, the same", entries({zero, one, one}), "duplicate_index"},
  }));
  CAPTURE(row.why);
  CHECK(parsed(asked, row.reply.dump()) == row.want);
}

TEST_CASE("a settled item without a text cannot be echoed", "[arbiter]") {
  const auto asked = ask_about(
      "spotlight", R"({"data": [{"w": "ноль", "key": "skip"}, {"w": 1, "key": "skip"}]})", 1);
  CHECK(parsed(asked, entries({entry(0, "ноль")}).dump()) == "");
  CHECK(parsed(asked, entries({entry(0, "ноль"), entry(1, "")}).dump()) == "echo_mismatch");
}

TEST_CASE("of several faults the first of the contract's list is the reason", "[arbiter]") {
  const auto asked = ask_about("spotlight", spotlight, 5);
  struct Fault {
    const char* reason;
    std::function<void(Json&)> in_reply;  // or
    std::function<void(ModelResponse&)> in_response;
  };
  // In the order in which they count. Each touches another answer than the others do.
  const std::vector<Fault> faults{
      {"truncated", {}, [](auto& response) { response.status = ResponseStatus::truncated; }},
      {"refusal", {}, [](auto& response) { response.status = ResponseStatus::refused; }},
      {"empty", {}, [](auto& response) { response.body = " \n"; }},
      {"not_json", {}, [](auto& response) { response.body += "}"; }},
      {"wrong_shape", [](auto& answers) { answers[0]["extra"] = 1; }, {}},
      {"unknown_index",
       [](auto& answers) { answers.push_back(Json::parse(entry(6, "шесть"))); },
       {}},
      {"duplicate_index", [](auto& answers) { answers.push_back(answers[1]); }, {}},
      {"echo_mismatch", [](auto& answers) { answers[2]["w"] = "другое"; }, {}},
      {"incomplete", [](auto& answers) { answers.erase(4); }, {}},
      {"outside_domain", [](auto& answers) { answers[3]["answer"] = "hold"; }, {}},
  };
  const auto answers = entries(
      {entry(0, "ноль"), entry(1, "один"), entry(2, "два"), entry(3, "три"), entry(4, "четыре")});
  const auto spoil = [&](std::vector<const Fault*> these) {
    auto reply = answers;
    // Erasing first: the other faults then touch the places they mean.
    std::reverse(these.begin(), these.end());
    for (const auto* fault : these) {
      if (fault->in_reply) fault->in_reply(reply["answers"]);
    }
    ModelResponse response = replied(reply.dump());
    for (const auto* fault : these) {
      if (fault->in_response) fault->in_response(response);
    }
    return response;
  };
  REQUIRE(parsed(asked, replied(answers.dump())) == "");
  for (std::size_t first = 0; first < faults.size(); ++first) {
    CAPTURE(faults[first].reason);
    CHECK(parsed(asked, spoil({&faults[first]})) == faults[first].reason);
    for (std::size_t second = first + 1; second < faults.size(); ++second) {
      // A response has one status, and an empty text is no other text.
      if (second == 1) continue;
      CAPTURE(faults[second].reason);
      CHECK(parsed(asked, spoil({&faults[first], &faults[second]})) == faults[first].reason);
    }
  }
}

TEST_CASE("faults are looked for in all answers before the next kind of fault", "[arbiter]") {
  const auto asked = ask_about("spotlight", spotlight, 2);
  // The graver fault stands in the last answer.
  auto reply = entries({entry(0, "другое"), entry(1, "один")});
  reply["answers"][1]["why"] = 1;
  CHECK(parsed(asked, reply.dump()) == "wrong_shape");
  CHECK(parsed(asked, entries({entry(0, "другое"), entry(9, "девять")}).dump()) == "unknown_index");
  CHECK(parsed(asked, entries({entry(0, "ноль", "hold"), entry(1, "другое")}).dump()) ==
        "echo_mismatch");
}

TEST_CASE("pairs are answered out of all right sides, with a relation", "[arbiter]") {
  const std::string game = R"({"data": [{"left": "маши..а", "right": "машина"},
      {"left": "стра..а", "right": "страна"}, {"left": "о", "right": "облако"}]})";
  // The third is settled; its right side is in the pool all the same.
  const auto asked = ask_about("pairs", game, 2);
  const auto body = [](const std::string& answer, const std::string& rest) {
    return R"({"answers":[{"i":0,"w":"маши..а","ok":true,"answer":")" + answer + "\"," + rest +
           R"(},{"i":1,"w":"стра..а","ok":true,"answer":"страна","relation":"other","why":""}]})";
  };
  struct Row {
    const char* why;
    std::string answer, rest, want;
  };
  const auto row = GENERATE(values<Row>({
      {"the author's", "машина", R"("relation":"expansion","why":"")", ""},
      {"another item's", "страна", R"("relation":"other","why":"")", ""},
      {"a settled item's", "облако", R"("relation":"other","why":"")", ""},
      {"compared by tidy", " машина", R"("relation":"other","why":"")", ""},
      {"a word of its own", "машинист", R"("relation":"other","why":"")", "outside_domain"},
      {"a left side", "маши..а", R"("relation":"other","why":"")", "outside_domain"},
      {"another relation", "машина", R"("relation":"same","why":"")", "outside_domain"},
      {"the relation in another case", "машина", R"("relation":"Other","why":"")",
       "outside_domain"},
      {"the relation is no string", "машина", R"("relation":true,"why":"")", "wrong_shape"},
      {"no relation", "машина", R"("why":"")", "wrong_shape"},
  }));
  CAPTURE(row.why);
  CHECK(parsed(asked, body(row.answer, row.rest)) == row.want);
}

TEST_CASE("a pair's relation is the solver's", "[arbiter]") {
  const auto asked = ask_about(
      "memory", R"({"data": [{"a": "маши..а", "b": "машина"}, {"a": "о", "b": "облако"}]})", 2);
  const auto ballots = parse_ballots(replied(
                                         R"({"answers":[
            {"i":0,"w":"маши..а","ok":true,"answer":"машина","relation":"expansion","why":""},
            {"i":1,"w":"о","ok":true,"answer":"облако","relation":"other","why":""}]})"),
                                     asked.sheet, asked.echoes);
  REQUIRE(ballots);
  CHECK(ballots->at(0).relation == Relation::expansion);
  CHECK(ballots->at(1).relation == Relation::other);
}

TEST_CASE("an order is answered with all its steps and no others", "[arbiter]") {
  const auto asked =
      ask_about("order", R"({"data": [{"q": "Порядок", "steps": ["раз", "два", "три"]}]})", 1);
  struct Row {
    const char* why;
    std::string answer, want;
  };
  const auto row = GENERATE(values<Row>({
      {"the author's order", R"(["раз","два","три"])", ""},
      {"another order", R"(["три","раз","два"])", ""},
      {"steps by tidy", R"(["раз "," два","три"])", ""},
      {"a step is missing", R"(["раз","два"])", "outside_domain"},
      {"a step twice for another", R"(["раз","два","два"])", "outside_domain"},
      {"a step twice as well", R"(["раз","два","три","три"])", "outside_domain"},
      {"a step of its own", R"(["раз","два","четыре"])", "outside_domain"},
      {"no steps", "[]", "outside_domain"},
      {"steps as one text", R"("раз → два → три")", "wrong_shape"},
      {"a step that is no text", R"(["раз","два",3])", "wrong_shape"},
      {"a step in a list", R"(["раз","два",["три"]])", "wrong_shape"},
  }));
  CAPTURE(row.why);
  CHECK(parsed(asked, R"({"answers":[{"i":0,"w":"Порядок","ok":true,"why":"","answer":)" +
                          row.answer + "}]}") == row.want);
}

TEST_CASE("options are an item's own, a wheel has no answer, a gap has some", "[arbiter]") {
  struct Row {
    const char* why;
    std::string kind, game, w, rest, want;
  };
  const auto row = GENERATE(values<Row>({
      {"an option", "quiz", R"([{"q": "Где?", "options": ["а", "б"], "key": 0},
        {"q": "Кто?", "options": ["в", "г"], "key": 0}])",
       "Где?", R"(,"answer":"б")", ""},
      {"an option of another item", "quiz", R"([{"q": "Где?", "options": ["а", "б"], "key": 0},
        {"q": "Кто?", "options": ["в", "г"], "key": 0}])",
       "Где?", R"(,"answer":"в")", "outside_domain"},
      {"an option by tidy", "quiz", R"([{"q": "Где?", "options": ["а  б", "в"], "key": 1}])",
       "Где?", R"(,"answer":"а б")", ""},
      {"a right side by tidy", "memory", R"([{"a": "Где?", "b": "а  б…"}])", "Где?",
       R"(,"answer":"а б..","relation":"other")", ""},
      {"an option's index", "quiz", R"([{"q": "Где?", "options": ["а", "б"], "key": 0}])", "Где?",
       R"(,"answer":0)", "wrong_shape"},
      {"a question that stands twice, without its options", "quiz",
       R"([{"q": "Где?", "options": ["а", "б"], "key": 0},
        {"q": "Где?", "options": ["в", "г"], "key": 0}])",
       "Где?", R"(,"answer":"а")", "echo_mismatch"},
      {"the same with them, as the author ordered", "quiz",
       R"([{"q": "Где?", "options": ["б", "а"], "key": 0},
        {"q": "Где?", "options": ["в", "г"], "key": 0}])",
       "Где? | б | а", R"(,"answer":"а")", ""},
      {"the same with them in another order", "quiz",
       R"([{"q": "Где?", "options": ["б", "а"], "key": 0},
        {"q": "Где?", "options": ["в", "г"], "key": 0}])",
       "Где? | а | б", R"(,"answer":"а")", "echo_mismatch"},
      {"a word of the odd one out, echoed by its words", "odd_one_out",
       R"([{"q": "Лишнее?", "words": ["в", "а", "б"], "key": 0}])", "в; а; б", R"(,"answer":"а")",
       ""},
      {"the odd one out, echoed by its question", "odd_one_out",
       R"([{"q": "Лишнее?", "words": ["в", "а", "б"], "key": 0}])", "Лишнее?", R"(,"answer":"а")",
       "echo_mismatch"},
      {"a wheel's item", "wheel", R"(["изране..ый"])", "изране..ый", "", ""},
      {"a wheel's item with an answer", "wheel", R"(["изране..ый"])", "изране..ый",
       R"(,"answer":"нн")", "wrong_shape"},
      {"any text fills a gap", "gap", R"([{"q": "Сколько?", "key": "1"}])", "Сколько?",
       R"(,"answer":"не знаю")", ""},
      {"a number is no short text", "gap", R"([{"q": "Сколько?", "key": "1"}])", "Сколько?",
       R"(,"answer":1)", "wrong_shape"},
      {"a lie detector has two labels", "lie_detector", R"([{"s": "Да.", "key": "lie"}])", "Да.",
       R"(,"answer":"truth")", ""},
      {"and not another game's", "lie_detector", R"([{"s": "Да.", "key": "lie"}])", "Да.",
       R"(,"answer":"catch")", "outside_domain"},
  }));
  CAPTURE(row.why);
  const auto asked = ask_about(row.kind, "{\"data\": " + row.game + "}", 1);
  CHECK(parsed(asked, R"({"answers":[{"i":0,"w":")" + row.w + R"(","ok":true,"why":"")" + row.rest +
                          "}]}") == row.want);
}

TEST_CASE("a reply that is cut off anywhere is refused whole", "[arbiter]") {
  const auto asked = ask_about("spotlight", spotlight, 2);
  const auto whole = entries({entry(0, "ноль"), entry(1, "один")}).dump();
  REQUIRE(parsed(asked, whole) == "");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    CAPTURE(length);
    CHECK(parsed(asked, whole.substr(0, length)) == (length == 0 ? "empty" : "not_json"));
  }
}

TEST_CASE("a reply with any byte spoiled never brings the reader down", "[arbiter]") {
  CHECK(rc::check("one byte", [] {
    static const auto asked = ask_about("spotlight", spotlight, 2);
    static const auto whole = entries({entry(0, "ноль"), entry(1, "один")}).dump();
    auto body = whole;
    const auto at = static_cast<std::size_t>(below(static_cast<int>(body.size())));
    body[at] = *rc::gen::arbitrary<char>();
    const auto ballots = parse_ballots(replied(body), asked.sheet, asked.echoes);
    RC_ASSERT(!ballots || ballots->size() == asked.sheet.items.size());
  }));
}
