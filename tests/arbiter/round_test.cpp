#include "arbiter/round.h"

#include <rapidcheck.h>
#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tests/arbiter/packages.h"

using namespace flagman;
using namespace flagman::arbiter;
using namespace flagman::arbiter::testing;
using validators::Answer;
using validators::AuthorKey;

// ---- what the types leave no room for ----

// A verdict is one of five values, and no text becomes one.
static_assert(sizeof(Verdict) == 1 && std::is_enum_v<Verdict>);
static_assert(!std::is_constructible_v<Verdict, std::string>);
static_assert(!std::is_assignable_v<Verdict&, Answer>);

// A decision has exactly these members, and none of them can hold a word.
static_assert([] {
  auto [revision, outcome, route, reasons] = Decision{};
  return std::is_same_v<decltype(revision), int> && std::is_same_v<decltype(outcome), Outcome> &&
         std::is_same_v<decltype(route), std::optional<Route>> &&
         std::is_same_v<decltype(reasons), std::vector<Reason>>;
}());
static_assert([] {
  auto [item, verdict] = HearingClosed{};
  return std::is_same_v<decltype(item), ItemName> && std::is_same_v<decltype(verdict), Verdict>;
}());
static_assert([] {
  auto [item, act] = OperatorDecided{};
  return std::is_same_v<decltype(item), ItemName> && std::is_same_v<decltype(act), OperatorAct>;
}());

// A key can be looked at and no more, even by who holds it and may change what is around it.
static_assert(std::is_same_v<decltype(std::declval<AuthorKey&>().answer()), const Answer&>);
static_assert(
    std::is_same_v<decltype(std::declval<AuthorKey&>().accept()), const std::vector<std::string>&>);
template <typename Key>
concept Rewritable = requires(Key& key, Answer answer) {
  key.answer() = answer;
}
|| requires(Key& key, std::string text) { std::get<std::string>(key.answer()) = text; }
|| requires(Key& key, std::string text) { key.accept().push_back(text); }
|| requires(Key& key, Answer answer) { key.answer_ = answer; }
|| requires(Key& key, Answer answer) { key.set_answer(answer); }
|| requires(Key& key, Answer answer) { key.answer(answer); };
static_assert(!Rewritable<AuthorKey>);

namespace {

// The script of `who`, else the agreeable one.
using Votes = std::function<ModelResponse(const RoundState&, const AskSolver&)>;
using Rulings = std::function<ModelResponse(const RoundState&, const AskArbiter&)>;

Script solved_by(Votes votes) {
  auto script = agreeable();
  script.solve = [votes = std::move(votes)](const RoundState& state, const AskSolver& ask) {
    return answered(ask, votes(state, ask));
  };
  return script;
}

Votes all_vote(Vote vote) {
  return [vote = std::move(vote)](const RoundState& state, const AskSolver& ask) {
    return ballots_for(state, ask, vote);
  };
}

Script heard_by(Votes votes, Rulings rulings) {
  auto script = solved_by(std::move(votes));
  script.hear = [rulings = std::move(rulings)](const RoundState& state, const AskArbiter& ask) {
    return answered(ask, rulings(state, ask));
  };
  return script;
}

// The author delivers `written` as the next revision, whatever was flagged.
void rebuilt_as(Script& script, const std::string& written) {
  script.rebuild = [written](const RoundState&, const RebuildBrief& brief) -> Event {
    return RevisionDelivered{brief.item, brief.revision, written};
  };
}

constexpr std::string_view one_word =
    R"({"spotlight": {"data": [{"w": "ветре…ый", "key": "skip"}]}})";
const ItemName the_word{"spotlight", 0};
const Vote says_unsound{{}, false, "other", ""};
const Vote says_catch{"catch", true, "other", ""};

// "t": timeout, "e": error, "g": garbage, "r": refused, "c": truncated, "+": as asked.
ModelResponse by_letter(char letter, ModelResponse as_asked) {
  switch (letter) {
    case 't':
      return failed(ResponseStatus::timeout);
    case 'e':
      return failed(ResponseStatus::error);
    case 'g':
      return replied("Не могу знать.");
    case 'r':
      return failed(ResponseStatus::refused);
    case 'c':
      as_asked.status = ResponseStatus::truncated;
      return as_asked;
    default:
      return as_asked;
  }
}

std::vector<std::string> asks_of(const std::vector<Command>& commands) {
  std::vector<std::string> asks;
  for (const auto& ask : commands_of<AskSolver>(commands)) {
    asks.push_back(to_text(ask.step) + " " + std::to_string(ask.call) + " " + to_json(ask.sheet));
  }
  for (const auto& ask : commands_of<AskArbiter>(commands)) {
    asks.push_back(to_text(ask.step) + " " + std::to_string(ask.call) + " " +
                   to_json(ask.question));
  }
  for (const auto& request : commands_of<RequestRebuild>(commands)) {
    asks.push_back(to_json(request.brief));
  }
  std::sort(asks.begin(), asks.end());
  return asks;
}

// Everything in the state that an event could have moved.
std::string whole(const RoundState& state) {
  std::string text = summary_of(state);
  const auto add = [&](const Asking& asking) {
    text += std::to_string(static_cast<int>(asking.state)) + std::to_string(asking.call) +
            (asking.reply_came ? "+ " : "- ");
  };
  for (const auto& game : state.games) {
    for (const auto& sheet : game.sheets) {
      for (const auto& asking : sheet.asking) add(asking);
      for (const auto& ballots : sheet.ballots) text += std::to_string(ballots.size()) + " ";
    }
    for (const auto& item : game.items) {
      for (const auto& asking : item.asking) add(asking);
      text += item.awaits_revision ? "awaits " : "";
      text += item.next ? item.next->written() : "";
    }
  }
  return text;
}

Policy any_policy() {
  Policy policy;
  if (below(3) == 0) policy.solvers.emplace_back("third");
  if (below(3) == 0) policy.arbiter_orders = ArbiterOrders::single;
  policy.max_rounds = 1 + below(3);
  policy.sheet_max = 1 + below(4);
  if (below(3) == 0) policy.after_last_round = AfterLastRound::review;
  return policy;
}

}  // namespace

// ---- the plain way ----

TEST_CASE("a package that all solvers answer as its author is accepted", "[arbiter]") {
  Desk desk{start_games(ten_games), agreeable()};
  CHECK(desk.waiting().size() == 20);  // two solvers, one sheet a game
  desk.finish();
  CHECK(desk.state().outcome == PackageOutcome::accepted);
  for (const auto& game : desk.state().games) {
    CHECK(history_of(desk.state(), {game.kind->name, 0}) == "@1 accepted solvers");
  }
  CHECK(commands_of<AskArbiter>(desk.commands()).empty());
  CHECK(commands_of<RequestRebuild>(desk.commands()).empty());
  CHECK(commands_of<PackageDecided>(desk.commands()).size() == 1);
}

TEST_CASE("nothing is decided before every solver has answered", "[arbiter]") {
  Policy policy;
  policy.solvers = {"strict", "methodist", "third"};
  Desk desk{start_games(one_word, policy), solved_by(all_vote(says_unsound))};
  for (int i = 0; i < 2; ++i) {
    desk.deliver(0);
    CHECK(history_of(desk.state(), the_word).empty());
    CHECK(find_item(desk.state(), the_word)->outcome == Outcome::solving);
  }
  desk.deliver(0);
  CHECK(history_of(desk.state(), the_word) == "@1 flagged solvers solver_says_unsound");
}

TEST_CASE("what a hearing comes to, with the dispute behind it", "[arbiter]") {
  struct Row {
    const char* why;
    Vote methodist;
    Json ab, ba;
    std::string explanation, want;
  };
  const auto row = GENERATE(values<Row>({
      {"upheld", says_catch, "skip", "skip", "", "@1 accepted arbiter"},
      {"upheld against a doubt", says_unsound, "skip", "skip", "", "@1 accepted arbiter"},
      {"another label", says_catch, "catch", "catch", "",
       "@1 flagged arbiter arbiter_disagrees solvers_disagree"},
      {"followed the position", says_catch, "catch", "skip", "",
       "@1 flagged arbiter arbiter_unstable solvers_disagree"},
      {"one null", says_catch, "skip", nullptr, "",
       "@1 flagged arbiter arbiter_unstable solvers_disagree"},
      {"null", says_catch, nullptr, nullptr, "",
       "@1 flagged arbiter arbiter_none solvers_disagree"},
      {"explains the other, recorded run", says_catch, "skip", "skip", "Надо: catch.",
       "@1 flagged arbiter arbiter_contradicts_itself solvers_disagree"},
      {"one candidate, none chosen", says_unsound, nullptr, nullptr, "",
       "@1 flagged arbiter arbiter_none solver_says_unsound"},
  }));
  CAPTURE(row.why);
  Desk desk{
      start_games(one_word),
      heard_by(
          [&](const RoundState& state, const AskSolver& ask) {
            return ballots_for(state, ask, ask.step.solver == "strict" ? Vote{} : row.methodist);
          },
          [&](const RoundState&, const AskArbiter& ask) {
            return ruling_for(ask, ask.step.order == Order::ab ? row.ab : row.ba, row.explanation);
          })};
  desk.finish();
  CHECK(history_of(desk.state(), the_word) == row.want);
}

TEST_CASE("both orders of a hearing are always asked, a single one alone", "[arbiter]") {
  Policy policy;
  policy.arbiter_orders = GENERATE(ArbiterOrders::both, ArbiterOrders::single);
  const bool both = policy.arbiter_orders == ArbiterOrders::both;
  Desk desk{start_games(one_word, policy), solved_by(all_vote(says_catch))};
  desk.deliver(0);
  desk.deliver(0);
  // Before any ruling came both questions are out.
  const auto asks = commands_of<AskArbiter>(desk.commands());
  REQUIRE(asks.size() == (both ? 2 : 1));
  CHECK(to_text(asks[0].step) == "arbiter/spotlight/0@1/ab");
  CHECK(asks[0].question.candidates == std::vector<std::string>{"catch", "skip"});
  if (both) {
    CHECK(to_text(asks[1].step) == "arbiter/spotlight/0@1/ba");
    CHECK(asks[1].question.candidates == std::vector<std::string>{"skip", "catch"});
    desk.deliver(1);
    CHECK(history_of(desk.state(), the_word).empty());
  }
  desk.finish();
  CHECK(history_of(desk.state(), the_word) == "@1 accepted arbiter");
  CHECK(commands_of<AskArbiter>(desk.commands()).size() == (both ? 2 : 1));
  // In a single order nobody waits for `ba`, and nobody listens to it.
  const HearingStep ba{the_word, 1, Order::ba};
  CHECK(desk.intrude(ArbiterAnswered{ba, 1, replied("{}")}).empty());
}

TEST_CASE("an order `ba` that was not asked for is not heard", "[arbiter]") {
  Policy policy;
  policy.arbiter_orders = ArbiterOrders::single;
  Desk desk{start_games(one_word, policy), solved_by(all_vote(says_catch))};
  desk.deliver(0);
  desk.deliver(0);
  const auto ask = commands_of<AskArbiter>(desk.commands()).at(0);
  const HearingStep ba{the_word, 1, Order::ba};
  CHECK(desk.intrude(ArbiterAnswered{ba, 1, ruling_for(ask, "catch")}).empty());
  CHECK(desk.intrude(ArbiterAnswered{ba, 1, replied("нет")}).empty());
  CHECK(desk.intrude(ArbiterNotRecorded{ba}).empty());
  desk.finish();
  CHECK(history_of(desk.state(), the_word) == "@1 accepted arbiter");
}

TEST_CASE("a pair that all call an expansion is flagged by code, never heard", "[arbiter]") {
  // Too far off for the validators' "almost"; the rebuild repeats it and both approve again.
  const std::string broken = R"({"left": "маши..ый", "right": "машинного"})";
  auto script = solved_by(all_vote({{}, true, "expansion", ""}));
  rebuilt_as(script, broken);
  Desk desk{start_games(R"({"pairs": {"data": [)" + broken + "]}}"), script};
  desk.finish();
  CHECK(history_of(desk.state(), {"pairs", 0}) ==
        "@1 flagged solvers pair_does_not_expand, "
        "@2 rejected solvers rounds_exhausted pair_does_not_expand");
  CHECK(commands_of<AskArbiter>(desk.commands()).empty());
}

TEST_CASE("a pair that almost expands meets no solver at all", "[arbiter]") {
  // The old system's four votes mended the lost letter in their heads.
  const std::string broken = R"({"left": "маши..а вязка", "right": "машинная вязка"})";
  for (const auto* relation : {"expansion", "other"}) {
    auto script = solved_by(all_vote({{}, true, relation, ""}));
    rebuilt_as(script, broken);
    Desk desk{start_games(R"({"pairs": {"data": [)" + broken + "]}}"), script};
    desk.finish();
    CHECK(history_of(desk.state(), {"pairs", 0}) ==
          "@1 flagged structural pair_almost_expands, "
          "@2 rejected structural rounds_exhausted pair_almost_expands");
    CHECK(commands_of<AskSolver>(desk.commands()).empty());
  }
}

// ---- asks ----

TEST_CASE("three asks a sheet in all, whatever failed, and then a person looks", "[arbiter]") {
  struct Row {
    const char* why;
    std::string strict, methodist;
    int asks;
    std::string want;
  };
  const auto row = GENERATE(values<Row>({
      {"the second ask will do", "g+", "+", 3, "@1 accepted solvers"},
      {"the third ask will do", "tg+", "ec+", 6, "@1 accepted solvers"},
      {"garbage three times, recorded run", "ggg", "+", 4,
       "@1 manual_review solvers no_valid_ballot"},
      {"truncated and refused are replies", "crc", "+", 4,
       "@1 manual_review solvers no_valid_ballot"},
      {"no reply ever", "tet", "+", 4, "@1 manual_review solvers model_unavailable"},
      {"one reply of three, the first", "gtt", "+", 4, "@1 manual_review solvers no_valid_ballot"},
      {"one reply of three, the last", "ttg", "+", 4, "@1 manual_review solvers no_valid_ballot"},
      {"the other fails", "+", "ggg", 4, "@1 manual_review solvers no_valid_ballot"},
      {"one never came, the other was garbage", "ttt", "ggg", 6,
       "@1 manual_review solvers model_unavailable"},
      {"one was garbage, the other never came", "ggg", "eee", 6,
       "@1 manual_review solvers model_unavailable"},
      {"one fails and the other was late, but came", "ggg", "tt+", 6,
       "@1 manual_review solvers no_valid_ballot"},
  }));
  CAPTURE(row.why);
  Desk desk{start_games(one_word), solved_by([&](const RoundState& state, const AskSolver& ask) {
              const auto& letters = ask.step.solver == "strict" ? row.strict : row.methodist;
              return by_letter(letters.at(static_cast<std::size_t>(ask.call - 1)),
                               ballots_for(state, ask, {}));
            })};
  desk.finish();
  CHECK(history_of(desk.state(), the_word) == row.want);
  const auto asks = commands_of<AskSolver>(desk.commands());
  CHECK(asks.size() == static_cast<std::size_t>(row.asks));
  // Asked again is asked the same.
  for (const auto& ask : asks) CHECK(to_json(ask.sheet) == to_json(asks[0].sheet));
}

TEST_CASE("a failed solver does not keep the other from being asked to the end", "[arbiter]") {
  Desk desk{start_games(one_word), solved_by([&](const RoundState& state, const AskSolver& ask) {
              return by_letter(ask.step.solver == "strict" ? 'g' : "tt+"[ask.call - 1],
                               ballots_for(state, ask, {}));
            })};
  // All that concerns `strict` first.
  const auto of_strict = [&]() -> std::optional<std::size_t> {
    for (std::size_t i = 0; i < desk.waiting().size(); ++i) {
      if (std::get<SolverAnswered>(desk.waiting()[i]).step.solver == "strict") return i;
    }
    return std::nullopt;
  };
  while (const auto at = of_strict()) desk.deliver(*at);
  CHECK(history_of(desk.state(), the_word).empty());
  REQUIRE(desk.waiting().size() == 1);
  desk.finish();
  CHECK(history_of(desk.state(), the_word) == "@1 manual_review solvers no_valid_ballot");
  CHECK(commands_of<AskFailed>(desk.commands()).size() == 5);
}

TEST_CASE("what failed is told: the step, the ask and the refusal", "[arbiter]") {
  Desk desk{start_games(one_word), solved_by([&](const RoundState& state, const AskSolver& ask) {
              return by_letter("tgc"[ask.call - 1], ballots_for(state, ask, {}));
            })};
  desk.finish();
  std::string told;
  for (const auto& failure : commands_of<AskFailed>(desk.commands())) {
    if (failure.step != "solve/strict/spotlight@1") continue;
    told += std::to_string(failure.call) + " " +
            (failure.refusal ? std::string{name_of(*failure.refusal)} : "no reply") + ", ";
  }
  CHECK(told == "1 no reply, 2 not_json, 3 truncated, ");
}

TEST_CASE("three asks an order in all, and then a person looks", "[arbiter]") {
  struct Row {
    const char* why;
    std::string ab, ba;
    int asks;
    std::string want;
  };
  const auto row = GENERATE(values<Row>({
      {"the third ask will do", "gt+", "+", 4, "@1 accepted arbiter"},
      {"unread in one order", "ggg", "+", 4,
       "@1 manual_review arbiter arbiter_invalid solvers_disagree"},
      {"unread in the other", "+", "rcg", 4,
       "@1 manual_review arbiter arbiter_invalid solvers_disagree"},
      {"no reply ever in one order", "+", "tte", 4,
       "@1 manual_review arbiter model_unavailable solvers_disagree"},
      {"one reply of three", "tgt", "+", 4,
       "@1 manual_review arbiter arbiter_invalid solvers_disagree"},
      {"unread in one, none in the other", "ggg", "ttt", 6,
       "@1 manual_review arbiter model_unavailable solvers_disagree"},
  }));
  CAPTURE(row.why);
  Desk desk{start_games(one_word),
            heard_by(all_vote(says_catch), [&](const RoundState&, const AskArbiter& ask) {
              const auto& letters = ask.step.order == Order::ab ? row.ab : row.ba;
              return by_letter(letters.at(static_cast<std::size_t>(ask.call - 1)),
                               ruling_for(ask, "skip"));
            })};
  desk.finish();
  CHECK(history_of(desk.state(), the_word) == row.want);
  CHECK(commands_of<AskArbiter>(desk.commands()).size() == static_cast<std::size_t>(row.asks));
}

// ---- sheets ----

TEST_CASE("a game's open items go out in sheets of at most sheet_max", "[arbiter]") {
  Policy policy;
  policy.sheet_max = 2;
  // The third item is not sound: it is on no sheet.
  const auto start = start_games(R"({"wheel": {"data": ["один", "два", "", "три", "четыре",
                                    "пять"]}})",
                                 policy);
  std::vector<std::string> sheets;
  for (const auto& ask : commands_of<AskSolver>(start.commands)) {
    auto line = to_text(ask.step) + ":";
    for (const auto& item : ask.sheet.items) line += " " + std::to_string(item.ordinal);
    sheets.push_back(line);
  }
  CHECK(sheets ==
        std::vector<std::string>{"solve/strict/wheel@1: 0 1", "solve/methodist/wheel@1: 0 1",
                                 "solve/strict/wheel@1#2: 3 4", "solve/methodist/wheel@1#2: 3 4",
                                 "solve/strict/wheel@1#3: 5", "solve/methodist/wheel@1#3: 5"});
}

TEST_CASE("sheet_max itself is one sheet", "[arbiter]") {
  Policy policy;
  policy.sheet_max = 3;
  const auto start = start_games(R"({"wheel": {"data": ["один", "два", "три"]}})", policy);
  CHECK(commands_of<AskSolver>(start.commands).size() == 2);
}

TEST_CASE("a sheet that fails takes only its own items with it", "[arbiter]") {
  Policy policy;
  policy.sheet_max = 2;
  Desk desk{start_games(R"({"wheel": {"data": ["один", "два", "три", "четыре"]}})", policy),
            solved_by([](const RoundState& state, const AskSolver& ask) {
              return by_letter(ask.step.sheet == 2 ? 'g' : '+', ballots_for(state, ask, {}));
            })};
  desk.finish();
  CHECK(history_of(desk.state(), {"wheel", 1}) == "@1 accepted solvers");
  CHECK(history_of(desk.state(), {"wheel", 2}) == "@1 manual_review solvers no_valid_ballot");
  CHECK(history_of(desk.state(), {"wheel", 3}) == "@1 manual_review solvers no_valid_ballot");
}

TEST_CASE("the sheets of a later round are numbered anew over what is open", "[arbiter]") {
  Policy policy;
  policy.sheet_max = 1;
  auto script = solved_by([](const RoundState& state, const AskSolver& ask) {
    const bool flagged = ask.step.round == 1 && ask.step.sheet != 2;
    return ballots_for(state, ask, flagged ? says_unsound : Vote{});
  });
  script.rebuild = [](const RoundState&, const RebuildBrief& brief) -> Event {
    const auto written = Json("новое " + std::to_string(brief.item.ordinal)).dump();
    return RevisionDelivered{brief.item, brief.revision, written};
  };
  Desk desk{start_games(R"({"wheel": {"data": ["один", "два", "три"]}})", policy), script};
  desk.finish();
  std::vector<std::string> second;
  for (const auto& ask : commands_of<AskSolver>(desk.commands())) {
    if (ask.step.round == 2 && ask.step.solver == "strict") {
      second.push_back(to_text(ask.step) + " " + ask.sheet.items.at(0).text);
    }
  }
  CHECK(second ==
        std::vector<std::string>{"solve/strict/wheel@2 новое 0", "solve/strict/wheel@2#2 новое 2"});
  CHECK(desk.state().outcome == PackageOutcome::accepted);
}

// ---- rounds ----

TEST_CASE("a flagged item comes back as its next revision until its rounds are used up",
          "[arbiter]") {
  struct Row {
    const char* why;
    int max_rounds, sound_from;  // from which round on the solvers call it sound
    AfterLastRound after;
    std::string want;
  };
  const auto row = GENERATE(values<Row>({
      {"accepted when rebuilt", 2, 2, AfterLastRound::reject,
       "@1 flagged solvers solver_says_unsound, @2 accepted solvers"},
      {"rounds used up", 2, 3, AfterLastRound::reject,
       "@1 flagged solvers solver_says_unsound, "
       "@2 rejected solvers rounds_exhausted solver_says_unsound"},
      {"rounds used up, a person looks", 2, 3, AfterLastRound::review,
       "@1 flagged solvers solver_says_unsound, "
       "@2 manual_review solvers rounds_exhausted solver_says_unsound"},
      {"no rebuild in a single round", 1, 2, AfterLastRound::reject,
       "@1 rejected solvers rounds_exhausted solver_says_unsound"},
      {"three rounds", 3, 3, AfterLastRound::reject,
       "@1 flagged solvers solver_says_unsound, @2 flagged solvers solver_says_unsound, "
       "@3 accepted solvers"},
  }));
  CAPTURE(row.why);
  Policy policy;
  policy.max_rounds = row.max_rounds;
  policy.after_last_round = row.after;
  auto script = solved_by([&](const RoundState& state, const AskSolver& ask) {
    return ballots_for(state, ask, ask.step.round < row.sound_from ? says_unsound : Vote{});
  });
  rebuilt_as(script, R"({"w": "ветря…ой", "key": "skip"})");
  Desk desk{start_games(one_word, policy), script};
  desk.finish();
  CHECK(history_of(desk.state(), the_word) == row.want);
}

TEST_CASE("of a dispute that used the rounds up all reasons are told, the most telling first",
          "[arbiter]") {
  Policy policy;
  policy.max_rounds = 1;
  Desk desk{start_games(one_word, policy),
            heard_by(all_vote(says_catch), [](const RoundState&, const AskArbiter& ask) {
              return ruling_for(ask, "catch");
            })};
  desk.finish();
  CHECK(history_of(desk.state(), the_word) ==
        "@1 rejected arbiter rounds_exhausted arbiter_disagrees solvers_disagree");
  CHECK(commands_of<RequestRebuild>(desk.commands()).empty());
}

TEST_CASE("a rebuild that is itself unsound costs a round", "[arbiter]") {
  struct Row {
    const char* why;
    std::string written, reasons;
  };
  const auto row = GENERATE(values<Row>({
      {"a field of its own", R"({"w": "ветря…ой", "key": "skip", "hint": 1})", "unknown_field"},
      {"a key outside its domain", R"({"w": "ветря…ой", "key": "hold"})", "key_outside_domain"},
      {"no JSON", R"({"w": )", "bad_json"},
      {"nothing", "", "bad_json"},
      {"two faults", R"({"w": "", "key": 1})", "empty_text wrong_type"},
  }));
  CAPTURE(row.why);
  auto script = solved_by([](const RoundState& state, const AskSolver& ask) {
    return ballots_for(state, ask, ask.step.round == 1 ? says_unsound : Vote{});
  });
  const bool mended = GENERATE(true, false);
  Policy policy;
  policy.max_rounds = mended ? 3 : 2;
  script.rebuild = [&](const RoundState&, const RebuildBrief& brief) -> Event {
    return RevisionDelivered{
        brief.item, brief.revision,
        brief.revision == 2 ? row.written : R"({"w": "ветря…ой", "key": "skip"})"};
  };
  Desk desk{start_games(one_word, policy), script};
  desk.finish();
  const std::string first = "@1 flagged solvers solver_says_unsound, ";
  CHECK(history_of(desk.state(), the_word) ==
        first + (mended ? "@2 flagged structural " + row.reasons + ", @3 accepted solvers"
                        : "@2 rejected structural rounds_exhausted " + row.reasons));
  // Unsound, it was shown to nobody.
  for (const auto& ask : commands_of<AskSolver>(desk.commands())) CHECK(ask.step.round != 2);
}

TEST_CASE("an item that is not sound as the author wrote it is flagged unseen", "[arbiter]") {
  Desk desk{start_games(R"({"wheel": {"data": ["один", "", "один"]}})"), agreeable()};
  desk.finish();
  CHECK(history_of(desk.state(), {"wheel", 0}) == "@1 accepted solvers");
  CHECK(history_of(desk.state(), {"wheel", 1}) == "@1 flagged structural empty_text");
  CHECK(history_of(desk.state(), {"wheel", 2}) == "@1 flagged structural duplicate_item");
  for (const auto& ask : commands_of<AskSolver>(desk.commands())) {
    CHECK(ask.sheet.items.size() == 1);
  }
}

TEST_CASE("a package without one sound item asks nobody but its author", "[arbiter]") {
  auto script = agreeable();
  rebuilt_as(script, "\"слово\"");
  Desk desk{start_games(R"({"wheel": {"data": [""]}})"), script};
  CHECK(commands_of<AskSolver>(desk.commands()).empty());
  desk.finish();
  CHECK(history_of(desk.state(), {"wheel", 0}) ==
        "@1 flagged structural empty_text, @2 accepted solvers");
}

TEST_CASE("the next round waits for every flagged item and goes on without those that never come",
          "[arbiter]") {
  // wheel/0 is rebuilt, wheel/1 has no recorded rebuild, wheel/2 is late for good.
  auto script = solved_by([](const RoundState& state, const AskSolver& ask) {
    return ballots_for(state, ask, ask.step.round == 1 ? says_unsound : Vote{});
  });
  script.rebuild = [](const RoundState&, const RebuildBrief& brief) -> Event {
    if (brief.item.ordinal == 1) return RevisionNotRecorded{brief.item};
    if (brief.item.ordinal == 2) return RevisionOverdue{brief.item};
    return RevisionDelivered{brief.item, brief.revision, "\"новое\""};
  };
  Desk desk{start_games(R"({"wheel": {"data": ["один", "два", "три"]}})"), script};
  desk.deliver(0);
  desk.deliver(0);
  REQUIRE(desk.waiting().size() == 3);
  desk.deliver(0);
  desk.deliver(0);
  CHECK(desk.state().round == 1);
  desk.deliver(0);
  CHECK(desk.state().round == 2);
  // Only what was rebuilt is on the sheet of round 2.
  const auto asks = commands_of<AskSolver>(desk.commands());
  REQUIRE(asks.size() == 4);
  CHECK(asks[3].sheet.items.size() == 1);
  desk.finish();
  CHECK(history_of(desk.state(), {"wheel", 0}) ==
        "@1 flagged solvers solver_says_unsound, @2 accepted solvers");
  CHECK(history_of(desk.state(), {"wheel", 1}) == "@1 flagged solvers solver_says_unsound");
  CHECK(history_of(desk.state(), {"wheel", 2}) ==
        "@1 manual_review solvers rebuild_overdue solver_says_unsound");
  CHECK(desk.state().outcome == PackageOutcome::manual_review);
}

TEST_CASE("a step that was never recorded leaves its items not recorded", "[arbiter]") {
  SECTION("of a solver: the whole sheet") {
    auto script = agreeable();
    script.solve = [](const RoundState& state, const AskSolver& ask) -> Event {
      if (ask.step.solver == "methodist") return SolverNotRecorded{ask.step};
      return answered(ask, ballots_for(state, ask, {}));
    };
    Desk desk{start_games(R"({"wheel": {"data": ["один", "два"]}})"), script};
    desk.finish();
    CHECK(history_of(desk.state(), {"wheel", 0}) == "@1 not_recorded -");
    CHECK(history_of(desk.state(), {"wheel", 1}) == "@1 not_recorded -");
    CHECK(desk.state().outcome == PackageOutcome::not_recorded);
  }
  SECTION("of the arbiter, in one order: the item") {
    auto script = solved_by(all_vote(says_catch));
    script.hear = [](const RoundState&, const AskArbiter& ask) -> Event {
      if (ask.step.order == Order::ba) return ArbiterNotRecorded{ask.step};
      return answered(ask, ruling_for(ask, "skip"));
    };
    Desk desk{start_games(one_word), script};
    desk.finish();
    CHECK(history_of(desk.state(), the_word) == "@1 not_recorded - solvers_disagree");
  }
}

TEST_CASE("a rebuilt item meets its game as it stands now", "[arbiter]") {
  struct Row {
    const char* why;
    std::string written, want;
  };
  const auto row = GENERATE(values<Row>({
      {"the same as an accepted one", R"({"w": "ноль", "key": "skip"})",
       "@2 rejected structural rounds_exhausted duplicate_item"},
      {"but for its spaces", R"({"w": " ноль ", "key": "skip"})",
       "@2 rejected structural rounds_exhausted duplicate_item"},
      {"an accepted one with another key", R"({"w": "ноль", "key": "catch"})",
       "@2 rejected structural rounds_exhausted contradictory_keys"},
      {"its own former text", R"({"w": "один", "key": "skip"})", "@2 accepted solvers"},
      {"another's former text, which was rebuilt as well", R"({"w": "два", "key": "skip"})",
       "@2 accepted solvers"},
  }));
  CAPTURE(row.why);
  // spotlight/0 is accepted, 1 and 2 are flagged in round 1.
  auto script = solved_by([](const RoundState& state, const AskSolver& ask) {
    return replied(reply_to(state, ask.sheet, [&](const SheetItem& item) {
                     return ask.step.round == 1 && item.ordinal > 0 ? says_unsound : Vote{};
                   }).dump());
  });
  script.rebuild = [&](const RoundState&, const RebuildBrief& brief) -> Event {
    return RevisionDelivered{
        brief.item, brief.revision,
        brief.item.ordinal == 1 ? row.written : R"({"w": "три", "key": "catch"})"};
  };
  Desk desk{start_games(R"({"spotlight": {"data": [{"w": "ноль", "key": "skip"},
      {"w": "один", "key": "skip"}, {"w": "два", "key": "skip"}]}})"),
            script};
  desk.finish();
  CHECK(history_of(desk.state(), {"spotlight", 1}) ==
        "@1 flagged solvers solver_says_unsound, " + row.want);
  // What was accepted stays so.
  CHECK(history_of(desk.state(), {"spotlight", 0}) == "@1 accepted solvers");
  CHECK(history_of(desk.state(), {"spotlight", 2}) ==
        "@1 flagged solvers solver_says_unsound, @2 accepted solvers");
}

TEST_CASE("two rebuilds that are the same item flag the later", "[arbiter]") {
  auto script = solved_by([](const RoundState& state, const AskSolver& ask) {
    return ballots_for(state, ask, ask.step.round == 1 ? says_unsound : Vote{});
  });
  rebuilt_as(script, "\"новое\"");
  Desk desk{start_games(R"({"wheel": {"data": ["один", "два"]}})"), script};
  desk.finish();
  CHECK(history_of(desk.state(), {"wheel", 0}) ==
        "@1 flagged solvers solver_says_unsound, @2 accepted solvers");
  CHECK(history_of(desk.state(), {"wheel", 1}) ==
        "@1 flagged solvers solver_says_unsound, "
        "@2 rejected structural rounds_exhausted duplicate_item");
}

TEST_CASE("a second round's echo follows the questions as they stand now", "[arbiter]") {
  struct Row {
    const char* why;
    std::string rebuilt, open, settled;  // the echoes of quiz/1 and quiz/0 in round 2
  };
  const auto row = GENERATE(values<Row>({
      {"no longer twice", R"({"q": "Кто?", "options": ["д", "е"], "key": 0})", "Кто?", "Где?"},
      {"still twice, with other options", R"({"q": "Где?", "options": ["д", "е"], "key": 0})",
       "Где? | д | е", "Где? | б | а"},
  }));
  CAPTURE(row.why);
  // In round 2 the solvers answer about the settled item too, and must echo it as it stands now.
  const bool echoed = GENERATE(true, false);
  CAPTURE(echoed);
  auto script = solved_by([&](const RoundState& state, const AskSolver& ask) {
    auto reply = reply_to(state, ask.sheet, [&](const SheetItem& item) {
      return ask.step.round == 1 && item.ordinal == 1 ? says_unsound : Vote{};
    });
    if (ask.step.round == 2) {
      auto settled = reply["answers"][0];
      settled["i"] = 0;
      settled["w"] = echoed ? row.settled : "Где? | а | б";
      reply["answers"].push_back(settled);
    }
    return replied(reply.dump());
  });
  rebuilt_as(script, row.rebuilt);
  Desk desk{start_games(R"({"quiz": {"data": [{"q": "Где?", "options": ["б", "а"], "key": 0},
      {"q": "Где?", "options": ["в", "г"], "key": 0}]}})"),
            script};
  desk.finish();
  const auto asks = commands_of<AskSolver>(desk.commands());
  CHECK(asks.front().sheet.items.at(0).text == "Где? | б | а");
  CHECK(asks.front().sheet.items.at(1).text == "Где? | в | г");
  REQUIRE(asks.back().step.round == 2);
  CHECK(asks.back().sheet.items.at(0).text == row.open);
  CHECK(find_item(desk.state(), {"quiz", 1})->outcome ==
        (echoed ? Outcome::accepted : Outcome::manual_review));
}

// ---- the package ----

TEST_CASE("a package ends as the gravest of its items does", "[arbiter]") {
  // One item a game, each with its own end.
  const std::vector<std::pair<std::string, std::string>> ends{{"lie_detector", "rejected"},
                                                              {"spotlight", "manual_review"},
                                                              {"wheel", "not_recorded"},
                                                              {"gap", "awaiting_rebuild"},
                                                              {"quiz", "accepted"}};
  const auto ten = Json::parse(ten_games);
  for (unsigned subset = 1; subset < 32; ++subset) {
    Json games;
    std::string want;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if ((subset >> i & 1u) == 0) continue;
      games[ends[i].first] = ten[ends[i].first];
      if (want.empty()) want = ends[i].second;
    }
    auto script = agreeable();
    script.solve = [](const RoundState& state, const AskSolver& ask) -> Event {
      const auto& kind = ask.step.kind;
      if (kind == "wheel") return SolverNotRecorded{ask.step};
      if (kind == "spotlight") return answered(ask, replied("?"));
      const bool unsound = kind == "lie_detector" || kind == "gap";
      return answered(ask, ballots_for(state, ask, unsound ? says_unsound : Vote{}));
    };
    script.rebuild = [](const RoundState&, const RebuildBrief& brief) -> Event {
      if (brief.item.kind == "gap") return RevisionNotRecorded{brief.item};
      return RevisionDelivered{brief.item, brief.revision, brief.current};
    };
    Desk desk{start_with(document_of(games)), script};
    desk.finish();
    CAPTURE(games.dump());
    REQUIRE(desk.state().outcome);
    CHECK(name_of(*desk.state().outcome) == want);
    CHECK(commands_of<PackageDecided>(desk.commands()).size() == 1);
  }
}

TEST_CASE("a document that is no package is rejected whole, and nobody is asked", "[arbiter]") {
  struct Row {
    const char* why;
    std::string document, want;
  };
  const auto with_games = [](const std::string& games) {
    return R"({"format": "flagman.package/1", "games": )" + games + "}";
  };
  const auto row = GENERATE_COPY(values<Row>({
      {"empty", "", "bad_json"},
      {"not JSON", "{", "bad_json"},
      {"two documents", "{}{}", "bad_json"},
      {"a name twice", R"({"format": "flagman.package/1", "format": "flagman.package/1"})",
       "bad_json"},
      {"no games", with_games("{}"), "too_few"},
      {"an unknown kind", with_games(R"({"chess": {"data": ["e4"]}})"), "unknown_field"},
      {"a faulty game beside a sound one",
       with_games(R"({"wheel": {"data": ["слово"]}, "gap": {"data": []}})"), "too_few"},
      {"several faults, each once",
       R"({"format": "flagman.package/2", "games": {"gap": {"data": []}, "wheel": {"data": []}}})",
       "wrong_format too_few"},
  }));
  CAPTURE(row.why);
  auto start = start_package(validators::read_package(row.document, ten_kinds(), {}), "p-1", {});
  REQUIRE(start.commands.size() == 1);
  const auto decided = std::get<PackageDecided>(start.commands[0]);
  CHECK(decided.outcome == PackageOutcome::rejected);
  CHECK(decided.reasons == start.state.reasons);
  std::string reasons;
  for (const auto reason : decided.reasons) {
    reasons += (reasons.empty() ? "" : " ") + std::string{name_of(reason)};
  }
  CHECK(reasons == row.want);
  CHECK(start.state.games.empty());
}

TEST_CASE("a cancelled package takes no more answers", "[arbiter]") {
  Desk desk{start_games(one_word), agreeable()};
  desk.deliver(0);
  const auto commands = desk.intrude(PackageCancelled{});
  REQUIRE(commands.size() == 1);
  CHECK(std::get<PackageDecided>(commands[0]).outcome == PackageOutcome::cancelled);
  desk.deliver(0);
  CHECK(desk.intrude(PackageCancelled{}).empty());
  CHECK(desk.state().outcome == PackageOutcome::cancelled);
  CHECK(history_of(desk.state(), the_word).empty());
}

TEST_CASE("a package that is final is not cancelled", "[arbiter]") {
  Desk desk{start_games(one_word), agreeable()};
  desk.finish();
  CHECK(desk.intrude(PackageCancelled{}).empty());
  CHECK(desk.state().outcome == PackageOutcome::accepted);
}

TEST_CASE("a package that waits for a person is not final and may be cancelled", "[arbiter]") {
  Desk desk{start_games(one_word),
            solved_by([](const RoundState&, const AskSolver&) { return by_letter('g', {}); })};
  desk.finish();
  REQUIRE(desk.state().outcome == PackageOutcome::manual_review);
  REQUIRE(desk.intrude(PackageCancelled{}).size() == 1);
  CHECK(desk.state().outcome == PackageOutcome::cancelled);
  CHECK(desk.intrude(OperatorDecided{the_word, OperatorAct::accept}).empty());
}

TEST_CASE("a person decides about what was left to people, and about nothing else", "[arbiter]") {
  const auto act = GENERATE(OperatorAct::accept, OperatorAct::reject, OperatorAct::rebuild);
  auto script = solved_by([](const RoundState& state, const AskSolver& ask) {
    const bool garbage = ask.step.kind == "spotlight" && ask.step.round == 1;
    return by_letter(garbage ? 'g' : '+', ballots_for(state, ask, {}));
  });
  rebuilt_as(script, R"({"w": "ветря…ой", "key": "skip"})");
  Policy policy;
  policy.max_rounds = 1;  // a person may ask for one more
  Desk desk{start_games(R"({"spotlight": {"data": [{"w": "ветре…ый", "key": "skip"}]},
                            "wheel": {"data": ["слово"]}})",
                        policy),
            script};
  desk.finish();
  REQUIRE(desk.state().outcome == PackageOutcome::manual_review);
  CHECK(desk.intrude(OperatorDecided{{"wheel", 0}, act}).empty());
  CHECK(desk.intrude(OperatorDecided{{"wheel", 1}, act}).empty());
  (void)desk.intrude(OperatorDecided{the_word, act});
  desk.finish();
  const auto history = history_of(desk.state(), the_word);
  switch (act) {
    case OperatorAct::accept:
      CHECK(history == "@1 accepted operator");
      CHECK(desk.state().outcome == PackageOutcome::accepted);
      CHECK(find_item(desk.state(), the_word)->keys_written ==
            std::vector<std::string>{"\"skip\""});
      break;
    case OperatorAct::reject:
      CHECK(history == "@1 rejected operator operator_decision");
      CHECK(desk.state().outcome == PackageOutcome::rejected);
      break;
    case OperatorAct::rebuild:
      CHECK(history == "@1 flagged operator operator_decision, @2 accepted solvers");
      CHECK(desk.state().outcome == PackageOutcome::accepted);
      break;
  }
  CHECK(history_of(desk.state(), {"wheel", 0}) == "@1 accepted solvers");
}

// ---- any order of arrival ----

TEST_CASE("decisions do not depend on the order in which answers arrive", "[arbiter]") {
  std::map<std::string, int> seen;  // so that the property is about something
  CHECK(rc::check("any order", [&] {
    const auto document = some_games(3);
    const auto policy = any_policy();
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    Desk in_order{start_with(document, policy), any_script(seed)};
    in_order.finish();
    Desk shuffled_desk{start_with(document, policy), any_script(seed)};
    const Dice arrivals{*rc::gen::arbitrary<std::uint64_t>()};
    for (int i = 0; !shuffled_desk.waiting().empty(); ++i) {
      shuffled_desk.deliver(arrivals.roll(std::to_string(i), shuffled_desk.waiting().size()));
    }
    RC_ASSERT(summary_of(shuffled_desk.state()) == summary_of(in_order.state()));
    RC_ASSERT(asks_of(shuffled_desk.commands()) == asks_of(in_order.commands()));
    RC_ASSERT(in_order.state().outcome.has_value());
    for (const auto& decided : commands_of<ItemDecided>(in_order.commands())) {
      ++seen[std::string{name_of(decided.decision.outcome)}];
      ++seen["@" + std::to_string(decided.decision.revision)];
      for (const auto reason : decided.decision.reasons) ++seen[std::string{name_of(reason)}];
    }
  }));
  for (const auto* some :
       {"accepted", "flagged", "rejected", "manual_review", "not_recorded", "@2", "@3",
        "solvers_disagree", "solver_says_unsound", "arbiter_disagrees", "arbiter_unstable",
        "no_valid_ballot", "rounds_exhausted", "rebuild_overdue", "bad_json"}) {
    CAPTURE(some);
    CHECK(seen[some] > 0);
  }
}

TEST_CASE("events that nobody waits for change nothing", "[arbiter]") {
  CHECK(rc::check("second deliveries and stale ones", [] {
    const auto document = some_games(2);
    const auto policy = any_policy();
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    Desk desk{start_with(document, policy), any_script(seed)};
    const Dice dice{seed};
    for (int i = 0; !desk.waiting().empty(); ++i) {
      const auto turn = std::to_string(i);
      desk.deliver(dice.roll("at " + turn, desk.waiting().size()));
      const auto before = whole(desk.state());
      // Any event that was taken before comes once more.
      const auto& again = desk.delivered()[dice.roll("again " + turn, desk.delivered().size())];
      auto state = desk.state();
      const auto commands = arbiter::apply(state, again);
      RC_ASSERT(whole(state) == before);
      if (std::holds_alternative<RevisionDelivered>(again)) {
        RC_ASSERT(commands.size() == 1u);
        RC_ASSERT(std::holds_alternative<DeliveryRefused>(commands[0]));
      } else {
        RC_ASSERT(commands.empty());
      }
      // And one that is to come, with the number of another ask, of another round or sheet.
      if (desk.waiting().empty()) continue;
      auto stale = desk.waiting()[dice.roll("stale " + turn, desk.waiting().size())];
      if (auto* solver = std::get_if<SolverAnswered>(&stale)) {
        const auto way = dice.roll("way " + turn, 4);
        if (way == 0) solver->call += 1;
        if (way == 1) solver->step.round += 1;
        if (way == 2) solver->step.sheet += 100;
        if (way == 3) solver->step.solver = "nobody";
      } else if (auto* ruling = std::get_if<ArbiterAnswered>(&stale)) {
        const auto way = dice.roll("way " + turn, 3);
        if (way == 0) ruling->call += 1;
        if (way == 1) ruling->step.round += 1;
        if (way == 2) ruling->step.item.ordinal += 100;
      } else {
        continue;
      }
      RC_ASSERT(arbiter::apply(state, stale).empty());
      RC_ASSERT(whole(state) == before);
    }
  }));
}

TEST_CASE("the same state and event give the same state and commands", "[arbiter]") {
  Desk one{start_games(ten_games), any_script(7)}, other{start_games(ten_games), any_script(7)};
  one.finish();
  other.finish();
  CHECK(whole(one.state()) == whole(other.state()));
  REQUIRE(one.commands().size() == other.commands().size());
  for (std::size_t i = 0; i < one.commands().size(); ++i) {
    CHECK(one.commands()[i].index() == other.commands()[i].index());
  }
}

// ---- the author's key ----

TEST_CASE("nobody puts another key in the place of the author's", "[arbiter]") {
  // «маши…ый», key «Две НН»: solvers and arbiter say «Одна Н». Two more items are on their way.
  constexpr std::string_view package = R"({"sort": {"baskets": ["Одна Н", "Две НН"],
      "fillings": {"Одна Н": "н", "Две НН": "нн"},
      "data": [{"w": "маши…ый", "key": "Две НН"}, {"w": "ветре…ый", "key": "Одна Н"},
               {"w": "ране…ый", "key": "Одна Н"}]}})";
  const ItemName contested{"sort", 0}, sound{"sort", 1}, other{"sort", 2};
  const std::string forged = R"({"w":"маши…ый","key":"Одна Н"})";
  const std::string rebuilt = R"({"w":"стари…ый","key":"Две НН"})";
  const auto key_of = [](const RoundState& state, const ItemName& name) {
    const auto& item = find_item(state, name)->item;
    return item.key_written() + " " + std::get<std::string>(item.key->answer());
  };

  std::optional<RebuildBrief> asked_for;
  auto script = heard_by(
      [&](const RoundState& state, const AskSolver& ask) {
        return replied(reply_to(state, ask.sheet, [&](const SheetItem& item) {
                         return item.ordinal == 1
                                    ? Vote{}
                                    : Vote{"Одна Н", item.ordinal == 0, "other", "машиный"};
                       }).dump());
      },
      [](const RoundState&, const AskArbiter& ask) {
        return ruling_for(ask, "Одна Н", "Пишется «машинный».");
      });
  script.rebuild = [&](const RoundState&, const RebuildBrief& brief) -> Event {
    if (brief.item == ItemName{"sort", 0}) asked_for = brief;
    return RevisionDelivered{brief.item, brief.revision, R"({"w":"краше…ый","key":"Одна Н"})"};
  };
  Desk desk{start_games(package), script};

  // The solvers: both answer the other label.
  desk.deliver(0);
  desk.deliver(0);
  CHECK(find_item(desk.state(), contested)->outcome == Outcome::disputed);
  CHECK(key_of(desk.state(), contested) == "\"Две НН\" Две НН");
  // The arbiter chooses it in both orders. What follows is a flag.
  while (find_item(desk.state(), contested)->outcome == Outcome::disputed) {
    for (std::size_t i = 0; i < desk.waiting().size(); ++i) {
      if (std::holds_alternative<ArbiterAnswered>(desk.waiting()[i])) {
        desk.deliver(i);
        break;
      }
    }
  }
  CHECK(history_of(desk.state(), contested) ==
        "@1 flagged arbiter arbiter_disagrees solvers_disagree");
  CHECK(key_of(desk.state(), contested) == "\"Две НН\" Две НН");
  REQUIRE(asked_for);
  CHECK(asked_for->current == R"({"w":"маши…ый","key":"Две НН"})");

  const auto refuses = [&](const ItemName& item, int revision) {
    const auto before = whole(desk.state());
    const auto commands = desk.intrude(RevisionDelivered{item, revision, forged});
    REQUIRE(commands.size() == 1);
    const auto* refused = std::get_if<DeliveryRefused>(&commands[0]);
    REQUIRE(refused != nullptr);
    CHECK(refused->item == item);
    CHECK(refused->revision == revision);
    CHECK(whole(desk.state()) == before);
  };
  // A delivery with a wrong number, or for what was not flagged or is not there.
  for (const int revision : {0, 1, 3}) refuses(contested, revision);
  for (const int revision : {1, 2}) refuses(sound, revision);
  refuses({"sort", 3}, 2);
  refuses({"sort", -1}, 2);
  refuses({"quiz", 0}, 2);

  // The author's own revision is taken, and then no second one under its number: neither while the
  // round waits for the other item, nor in the next round, nor at the end.
  const auto waits_for = [&](const ItemName& item) {
    return find_item(desk.state(), item)->awaits_revision;
  };
  REQUIRE(waits_for(other));
  const auto taken = desk.intrude(RevisionDelivered{contested, 2, rebuilt});
  REQUIRE(taken.size() == 1);
  CHECK(std::get<RevisionTaken>(taken[0]).written == rebuilt);
  refuses(contested, 2);
  // What the script had prepared for the contested item is itself a second delivery by now.
  for (std::size_t i = 0; i < desk.waiting().size(); ++i) {
    const auto* delivery = std::get_if<RevisionDelivered>(&desk.waiting()[i]);
    if (delivery != nullptr && delivery->item == other) {
      desk.deliver(i);
      break;
    }
  }
  REQUIRE(desk.state().round == 2);
  CHECK(find_item(desk.state(), contested)->item.written() == rebuilt);
  CHECK(key_of(desk.state(), contested) == "\"Две НН\" Две НН");
  refuses(contested, 2);
  refuses(contested, 3);
  desk.finish();
  refuses(contested, 2);
  refuses(contested, 3);

  CHECK(history_of(desk.state(), contested) ==
        "@1 flagged arbiter arbiter_disagrees solvers_disagree, "
        "@2 rejected arbiter rounds_exhausted arbiter_disagrees solvers_disagree");
  CHECK(find_item(desk.state(), contested)->keys_written ==
        std::vector<std::string>{"\"Две НН\"", "\"Две НН\""});
  CHECK(key_of(desk.state(), sound) == "\"Одна Н\" Одна Н");
}

TEST_CASE("whatever is said, every revision keeps the key that its author gave it", "[arbiter]") {
  CHECK(rc::check("over all ten games", [] {
    const auto document = all_ten_games(2);
    std::map<std::pair<std::string, int>, std::string> given;
    const auto note = [&](const ItemName& item, int revision, const Item& read) {
      given[{to_text(item), revision}] = read.key_written();
    };
    auto start = start_with(document);
    for (const auto& game : start.state.games) {
      for (std::size_t i = 0; i < game.items.size(); ++i) {
        note({game.kind->name, static_cast<int>(i)}, 1, game.items[i].item);
      }
    }
    Desk desk{std::move(start), any_script(*rc::gen::arbitrary<std::uint64_t>())};
    desk.finish();
    for (const auto& taken : commands_of<RevisionTaken>(desk.commands())) {
      const auto& games = desk.state().games;
      const auto game = std::find_if(games.begin(), games.end(), [&](const auto& one) {
        return one.kind->name == taken.item.kind;
      });
      note(taken.item, taken.revision,
           validators::read_item(taken.written, *game->kind, game->terms, taken.item, {}));
    }
    for (const auto& game : desk.state().games) {
      for (std::size_t i = 0; i < game.items.size(); ++i) {
        const auto& item = game.items[i];
        const auto name = to_text(ItemName{game.kind->name, static_cast<int>(i)});
        RC_ASSERT(item.history.size() == item.keys_written.size());
        for (std::size_t k = 0; k < item.history.size(); ++k) {
          RC_ASSERT(item.keys_written[k] == given.at({name, item.history[k].revision}));
        }
      }
    }
  }));
}

TEST_CASE("an item is found by its name", "[arbiter]") {
  const auto start = start_games(ten_games);
  CHECK(find_item(start.state, {"gap", 0})->item.key_written() == "\"3/4\"");
  CHECK(find_item(start.state, {"gap", 1}) == nullptr);
  CHECK(find_item(start.state, {"gap", -1}) == nullptr);
  CHECK(find_item(start.state, {"chess", 0}) == nullptr);
}
