#pragma once
// Packages of the ten games for tests of this floor: small ones by hand, random
// ones for RapidCheck, the replies that models may give to them, and a desk that
// carries commands out as the worker does.

#include <rapidcheck.h>
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "arbiter/round.h"
#include "validators/digest.h"
#include "validators/json.h"
#include "validators/read_item.h"
#include "validators/read_package.h"

namespace flagman::arbiter::testing {

using validators::AnswerForm;
using validators::Item;
using validators::ItemName;
using validators::Json;
using validators::Reason;

// ---- packages by hand ----

inline const std::shared_ptr<const validators::Kinds>& ten_kinds() {
  static const auto kinds = [] {
    const std::ifstream file{std::string{FLAGMAN_SOURCE_DIR} + "/config/games.json",
                             std::ios::binary};
    std::ostringstream text;
    text << file.rdbuf();
    auto parsed = validators::parse_kinds(text.str());
    if (!parsed) throw std::runtime_error{parsed.error()};
    return std::make_shared<const validators::Kinds>(std::move(*parsed));
  }();
  return kinds;
}

inline const validators::GameKind& kind_named(const std::string& name) {
  return ten_kinds()->at(name);
}

inline Json document_of(Json games) {
  Json document;
  document["format"] = "flagman.package/1";
  document["topic"] = "Н и НН в разных частях речи";
  document["subject"] = "русский язык";
  document["grade"] = 9;
  document["language"] = "ru";
  document["games"] = std::move(games);
  return document;
}

inline Start start_with(const Json& document, Policy policy = {}) {
  return start_package(validators::read_package(document.dump(), ten_kinds(), {}), "p-1",
                       std::move(policy));
}

/// Starts a package of these games, given as JSON text.
inline Start start_games(std::string_view games, Policy policy = {}) {
  return start_with(document_of(Json::parse(games)), std::move(policy));
}

/// One sound item of each kind.
inline constexpr std::string_view ten_games = R"({
  "quiz": {"data": [{"q": "Где пишется НН?", "options": ["ране..ый в бою", "маши..ый"], "key": 1}]},
  "sort": {"baskets": ["Одна Н", "Две НН"], "fillings": {"Одна Н": "н", "Две НН": "нн"},
           "data": [{"w": "маши…ый", "key": "Две НН"}]},
  "lie_detector": {"data": [{"s": "В слове «ветреный» пишется НН.", "key": "lie"}]},
  "spotlight": {"rule": "Ловите слова с НН", "data": [{"w": "ветре…ый", "key": "skip"}]},
  "pairs": {"data": [{"left": "маши..ая вязка", "right": "машинная вязка"}]},
  "memory": {"data": [{"a": "причастие", "b": "раненный в бою"}]},
  "wheel": {"data": ["изране..ый"]},
  "gap": {"data": [{"q": "Сколько будет 6/8?", "key": "3/4", "accept": ["три четверти"]}]},
  "order": {"data": [{"q": "От малого к большому", "steps": ["один", "два", "три"]}]},
  "odd_one_out": {"data": [{"words": ["стол", "стул", "роза"], "key": 2}]}})";

// ---- replies ----

/// What a solver says about one item. Without an answer of its own it says what the author says.
struct Vote {
  std::optional<Json> answer;
  bool ok = true;
  std::string relation = "other";
  std::string why;
};

inline Json json_of(const validators::Answer& answer) {
  if (const auto* text = std::get_if<std::string>(&answer)) return Json(*text);
  if (const auto* steps = std::get_if<std::vector<std::string>>(&answer)) return Json(*steps);
  return Json(nullptr);
}

inline ModelResponse replied(std::string body) { return {ResponseStatus::ok, std::move(body)}; }

inline ModelResponse failed(ResponseStatus status) { return {status, {}}; }

/// A readable reply with a vote for each item of the sheet.
inline Json reply_to(const RoundState& state, const BlindSheet& sheet,
                     const std::function<Vote(const SheetItem&)>& vote_about) {
  Json answers = Json::array();
  for (const auto& item : sheet.items) {
    const auto vote = vote_about(item);
    Json answer;
    answer["i"] = item.ordinal;
    answer["w"] = item.text;
    answer["ok"] = vote.ok;
    if (sheet.answer != AnswerForm::soundness) {
      const auto* progress = find_item(state, {sheet.setting.kind, item.ordinal});
      answer["answer"] = vote.answer ? *vote.answer : json_of(progress->item.key->answer());
    }
    if (sheet.answer == AnswerForm::partner) answer["relation"] = vote.relation;
    answer["why"] = vote.why;
    answers.push_back(std::move(answer));
  }
  Json reply;
  reply["answers"] = std::move(answers);
  return reply;
}

inline ModelResponse ballots_for(const RoundState& state, const AskSolver& ask, const Vote& vote) {
  return replied(reply_to(state, ask.sheet, [&](const SheetItem&) { return vote; }).dump());
}

inline ModelResponse ruling_for(const AskArbiter& ask, const Json& choice,
                                const std::string& why = "") {
  Json ruling;
  ruling["i"] = ask.question.ordinal;
  ruling["w"] = ask.question.text;
  ruling["why"] = why;
  ruling["choice"] = choice;
  return replied(ruling.dump());
}

// ---- a desk that carries commands out ----

/// What models and the author answer. The order in which it is asked must not matter to it.
struct Script {
  std::function<Event(const RoundState&, const AskSolver&)> solve;
  std::function<Event(const RoundState&, const AskArbiter&)> hear;
  std::function<Event(const RoundState&, const RebuildBrief&)> rebuild;
};

inline Event answered(const AskSolver& ask, ModelResponse response) {
  return SolverAnswered{ask.step, ask.call, std::move(response)};
}
inline Event answered(const AskArbiter& ask, ModelResponse response) {
  return ArbiterAnswered{ask.step, ask.call, std::move(response)};
}

/// All solvers say what the author says, the arbiter upholds, nothing is rebuilt.
inline Script agreeable() {
  return {[](const RoundState& state, const AskSolver& ask) {
            return answered(ask, ballots_for(state, ask, {}));
          },
          [](const RoundState& state, const AskArbiter& ask) {
            for (const auto& candidate : find_item(state, ask.step.item)->candidates) {
              if (candidate.authors) return answered(ask, ruling_for(ask, candidate.text));
            }
            throw std::logic_error{"a hearing without the author's candidate"};
          },
          [](const RoundState&, const RebuildBrief& brief) {
            return Event{RevisionNotRecorded{brief.item}};
          }};
}

class Desk {
 public:
  Desk(Start start, Script script) : state_(std::move(start.state)), script_(std::move(script)) {
    carry_out(std::move(start.commands));
  }

  [[nodiscard]] const RoundState& state() const { return state_; }
  /// All commands so far.
  [[nodiscard]] const std::vector<Command>& commands() const { return commands_; }
  /// Events that were not delivered yet.
  [[nodiscard]] const std::vector<Event>& waiting() const { return waiting_; }
  [[nodiscard]] const std::vector<Event>& delivered() const { return delivered_; }

  void deliver(std::size_t at) {
    auto event = std::move(waiting_.at(at));
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(at));
    carry_out(arbiter::apply(state_, event));
    delivered_.push_back(std::move(event));
  }

  /// An event of nobody's asking.
  std::vector<Command> intrude(const Event& event) {
    auto commands = arbiter::apply(state_, event);
    carry_out(commands);
    return commands;
  }

  /// Delivers everything, oldest first.
  void finish() {
    while (!waiting_.empty()) deliver(0);
  }

 private:
  void carry_out(std::vector<Command> commands) {
    for (auto& command : commands) {
      if (const auto* solve = std::get_if<AskSolver>(&command)) {
        waiting_.push_back(script_.solve(state_, *solve));
      } else if (const auto* hear = std::get_if<AskArbiter>(&command)) {
        waiting_.push_back(script_.hear(state_, *hear));
      } else if (const auto* rebuild = std::get_if<RequestRebuild>(&command)) {
        waiting_.push_back(script_.rebuild(state_, rebuild->brief));
      }
      commands_.push_back(std::move(command));
    }
  }

  RoundState state_;
  Script script_;
  std::vector<Command> commands_;
  std::vector<Event> waiting_, delivered_;
};

template <typename Kind>
std::vector<Kind> commands_of(const std::vector<Command>& commands) {
  std::vector<Kind> found;
  for (const auto& command : commands) {
    if (const auto* one = std::get_if<Kind>(&command)) found.push_back(*one);
  }
  return found;
}

// ---- what came out, as text ----

/// "@1 flagged arbiter arbiter_disagrees solvers_disagree".
inline std::string line_of(const Decision& decision) {
  std::string line = "@" + std::to_string(decision.revision) + " ";
  line += name_of(decision.outcome);
  line += decision.route ? " " + std::string{name_of(*decision.route)} : " -";
  for (const auto reason : decision.reasons) line += " " + std::string{name_of(reason)};
  return line;
}

inline std::string history_of(const RoundState& state, const ItemName& name) {
  std::string lines;
  for (const auto& decision : find_item(state, name)->history) {
    if (!lines.empty()) lines += ", ";
    lines += line_of(decision);
  }
  return lines;
}

/// Everything that was decided, with the keys.
inline std::string summary_of(const RoundState& state) {
  std::string text = "package: ";
  text += state.outcome ? name_of(*state.outcome) : "running";
  for (const auto reason : state.reasons) text += " " + std::string{name_of(reason)};
  text += " in round " + std::to_string(state.round) + "\n";
  for (const auto& game : state.games) {
    for (std::size_t i = 0; i < game.items.size(); ++i) {
      const auto& item = game.items[i];
      text += to_text(ItemName{game.kind->name, static_cast<int>(i)}) + ": " +
              std::string{name_of(item.outcome)};
      for (std::size_t k = 0; k < item.history.size(); ++k) {
        text += " | " + line_of(item.history[k]) + " key " + item.keys_written.at(k);
      }
      text += " | in force " + item.item.written() + "\n";
    }
  }
  return text;
}

// ---- random packages; to be called within a property ----

inline int below(int end) { return *rc::gen::inRange(0, end); }

/// Different for each `number`, also when folded.
inline std::string any_text(int number) {
  static const std::vector<std::string> syllables{"ма",      "ши", "нн",  "ый", "ё",
                                                  "О\u0301", "Ве", " к ", "..", "-"};
  std::string text;
  for (int i = below(3); i >= 0; --i) {
    text += syllables[static_cast<std::size_t>(below(static_cast<int>(syllables.size())))];
  }
  return text + " " + std::to_string(number);
}

/// Texts of one form: among options a gap that stands in one alone would give it away.
inline Json any_texts(int least, int most, int first_number) {
  Json texts = Json::array();
  const int count = least + below(most - least + 1);
  const std::string gap = below(3) == 0 ? "н.. " : "";
  for (int i = 0; i < count; ++i) {
    auto text = any_text(first_number + i);
    for (auto at = text.find(".."); at != std::string::npos; at = text.find("..")) {
      text.replace(at, 2, "-");
    }
    texts.push_back(gap + text);
  }
  return texts;
}

inline Json one_of(const Json& list) {
  return list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
}

inline Json any_item(const std::string& kind, const Json& labels, int ordinal) {
  const int number = 10 * ordinal;
  if (kind == "wheel") return Json(any_text(number));
  Json item;
  if (kind == "quiz") {
    // Some questions stand twice, with other options.
    item["q"] = below(3) == 0 ? std::string{"Где НН?"} : any_text(number);
    item["options"] = any_texts(2, 4, number + 500);
    item["key"] = below(static_cast<int>(item["options"].size()));
    if (below(3) == 0) item["asks"] = one_of({"н", "нн"});
  } else if (kind == "pairs" || kind == "memory") {
    const bool expands = below(3) == 0;
    item[kind == "pairs" ? "left" : "a"] =
        expands ? "сло..о " + std::to_string(ordinal) : any_text(number);
    item[kind == "pairs" ? "right" : "b"] =
        expands ? "слово " + std::to_string(ordinal) : "не то же " + any_text(number + 500);
  } else if (kind == "gap") {
    item["q"] = any_text(number);
    item["key"] = any_text(number + 500);
    if (below(2) == 0) item["accept"] = any_texts(1, 2, number);
  } else if (kind == "order") {
    item["q"] = any_text(number);
    item["steps"] = any_texts(2, 4, number);
  } else if (kind == "odd_one_out") {
    if (below(2) == 0) item["q"] = any_text(number);
    item["words"] = any_texts(3, 4, number + 500);
    item["key"] = below(static_cast<int>(item["words"].size()));
  } else {
    item[kind == "lie_detector" ? "s" : "w"] = any_text(number);
    item["key"] = one_of(labels);
  }
  if (below(12) == 0) item["extra"] = "a fault of the item's own";
  return item;
}

inline Json labels_of(const std::string& kind, const Json& game) {
  if (kind == "sort") return game["baskets"];
  if (kind == "lie_detector") return Json::parse(R"(["truth", "lie"])");
  if (kind == "spotlight") return Json::parse(R"(["catch", "skip"])");
  return Json::array();
}

inline Json any_game(const std::string& kind, int items_max) {
  Json game;
  if (kind == "sort") game["baskets"] = any_texts(2, 3, 500);
  if (kind == "spotlight" && below(2) == 0) game["rule"] = any_text(0);
  game["data"] = Json::array();
  const int count = 1 + below(items_max);
  for (int i = 0; i < count; ++i) game["data"].push_back(any_item(kind, labels_of(kind, game), i));
  return game;
}

inline Json all_ten_games(int items_max) {
  Json games;
  for (const auto& [name, kind] : *ten_kinds()) games[name] = any_game(name, items_max);
  return document_of(std::move(games));
}

inline Json some_games(int items_max) {
  Json games;
  for (const auto& [name, kind] : *ten_kinds()) {
    if (below(3) == 0) games[name] = any_game(name, items_max);
  }
  if (games.empty()) games["wheel"] = any_game("wheel", items_max);
  return document_of(std::move(games));
}

inline Json permuted(const Json& list) {
  auto order = list;
  for (std::size_t i = order.size(); i > 1; --i) {
    const auto other = static_cast<std::size_t>(below(static_cast<int>(i)));
    if (other != i - 1) std::swap(order[i - 1], order[other]);
  }
  return order;
}

/// The ordinals of a game's items that may be judged.
inline std::vector<std::size_t> open_items(const Json& document, const std::string& kind) {
  const auto reading = validators::read_package(document.dump(), ten_kinds(), {});
  std::vector<std::size_t> ordinals;
  for (const auto& game : reading.package.games) {
    for (std::size_t i = 0; i < game.items.size(); ++i) {
      if (game.kind->name == kind && game.items[i].sound()) ordinals.push_back(i);
    }
  }
  return ordinals;
}

/// The same package with other keys, each within its domain. Partners stay where they are if to
/// exchange them would close an item (two pairs that fit each other's sides).
inline Json rekeyed(const Json& document) {
  auto other = document;
  for (auto& [kind, game] : other["games"].items()) {
    auto& data = game["data"];
    const char* right = kind == "pairs" ? "right" : "b";
    Json partners = Json::array();
    for (auto& item : data) {
      if (kind == "pairs" || kind == "memory") {
        partners.push_back(item[right]);
      } else if (kind == "quiz" || kind == "odd_one_out") {
        item["key"] = below(static_cast<int>(item[kind == "quiz" ? "options" : "words"].size()));
        if (kind == "quiz") item["asks"] = one_of({"н", "нн"});
      } else if (kind == "gap") {
        item["key"] = any_text(500 + below(1000));
        item["accept"] = any_texts(0, 3, below(1000));
      } else if (kind == "order") {
        item["steps"] = permuted(item["steps"]);
      } else if (kind != "wheel") {
        item["key"] = one_of(labels_of(kind, game));
      }
    }
    partners = permuted(partners);
    if (partners.empty()) continue;
    for (std::size_t i = 0; i < partners.size(); ++i) data[i][right] = partners[i];
    if (open_items(other, kind) != open_items(document, kind)) game = document["games"][kind];
  }
  return other;
}

// ---- random answers: by a seed and what is asked, never by when ----

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : seed_(seed) {}

  /// A number below `end` that depends on the seed and on `what`.
  [[nodiscard]] std::size_t roll(const std::string& what, std::size_t end) const {
    const auto digest = validators::sha256(std::to_string(seed_) + "/" + what);
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < 8; ++i) number = number * 256 + digest[i];
    return static_cast<std::size_t>(number % end);
  }

 private:
  std::uint64_t seed_;
};

/// A word that no package has.
inline constexpr std::string_view rumour = "молва";

inline Vote any_vote(const Dice& dice, const BlindSheet& sheet, const SheetItem& item,
                     const std::string& who) {
  const auto about = who + " " + std::to_string(item.ordinal);
  Vote vote;
  vote.ok = dice.roll("ok " + about, 6) != 0;
  vote.relation = dice.roll("relation " + about, 2) == 0 ? "other" : "expansion";
  vote.why = std::string{rumour} + std::to_string(dice.roll("why " + about, 1000));
  if (dice.roll("with the author " + about, 3) != 0) return vote;
  const auto pick = [&](const std::vector<std::string>& from) {
    return Json(from[dice.roll("pick " + about, from.size())]);
  };
  switch (sheet.answer) {
    case AnswerForm::option:
      vote.answer = pick(item.options);
      break;
    case AnswerForm::label:
      vote.answer = pick(sheet.setting.labels);
      break;
    case AnswerForm::partner:
      vote.answer = pick(sheet.right_sides);
      break;
    case AnswerForm::short_text:
      vote.answer = vote.why;
      break;
    case AnswerForm::sequence:
      vote.answer = item.options;
      break;
    case AnswerForm::soundness:
      break;
  }
  return vote;
}

/// Spoils a readable reply in one of the ways that models have.
inline ModelResponse spoiled(const Dice& dice, const std::string& what, const std::string& body) {
  switch (dice.roll("spoil " + what, 6)) {
    case 0:
      return failed(ResponseStatus::timeout);
    case 1:
      return failed(ResponseStatus::error);
    case 2:
      return {ResponseStatus::truncated, body};
    case 3:
      return {ResponseStatus::refused, body};
    case 4:
      return replied("");
    default:
      return replied(body.substr(0, body.size() / 2));
  }
}

/// Models that err, refuse and disagree, and an author whose rebuilds are not always sound.
inline Script any_script(std::uint64_t seed) {
  const Dice dice{seed};
  return {[dice](const RoundState& state, const AskSolver& ask) {
            const auto step = to_text(ask.step);
            const auto call = step + " " + std::to_string(ask.call);
            const auto body = reply_to(state, ask.sheet, [&](const SheetItem& item) {
                                return any_vote(dice, ask.sheet, item, step);
                              }).dump();
            if (dice.roll("lost " + step, 40) == 0) return Event{SolverNotRecorded{ask.step}};
            // A step on its bad day fails again and again.
            const auto odds = dice.roll("bad day " + step, 10) == 0 ? 1u : 5u;
            const bool bad = dice.roll("bad " + call, odds) == 0;
            return answered(ask, bad ? spoiled(dice, call, body) : replied(body));
          },
          [dice](const RoundState& state, const AskArbiter& ask) {
            const auto step = to_text(ask.step);
            const auto call = step + " " + std::to_string(ask.call);
            const auto& candidates = find_item(state, ask.step.item)->candidates;
            const auto about = to_text(ask.step.item);
            // Mostly of one mind in both orders.
            const auto at = dice.roll(dice.roll("fickle " + about, 4) == 0 ? step : about,
                                      candidates.size() + 1);
            const Json choice = at < candidates.size() ? Json(candidates[at].text) : Json(nullptr);
            auto why = std::string{rumour} + std::to_string(dice.roll("why " + step, 1000));
            if (dice.roll("names " + step, 3) == 0) why += ": " + candidates.front().text;
            const auto response = ruling_for(ask, choice, why);
            if (dice.roll("lost " + step, 40) == 0) return Event{ArbiterNotRecorded{ask.step}};
            const auto odds = dice.roll("bad day " + step, 10) == 0 ? 1u : 5u;
            const bool bad = dice.roll("bad " + call, odds) == 0;
            return answered(ask, bad ? spoiled(dice, call, response.body) : response);
          },
          [dice](const RoundState& state, const RebuildBrief& brief) -> Event {
            const auto about = to_text(brief.item) + "@" + std::to_string(brief.revision);
            const auto& kind = kind_named(brief.item.kind);
            auto item = Json::parse(brief.current);
            switch (dice.roll("rebuild " + about, 8)) {
              case 0:
                return RevisionOverdue{brief.item};
              case 1:
                return RevisionNotRecorded{brief.item};
              case 2:  // a copy of the game's first item
                return RevisionDelivered{brief.item, brief.revision,
                                         find_item(state, {kind.name, 0})->item.written()};
              case 3:
                return RevisionDelivered{brief.item, brief.revision, "[1, 2"};
              default:
                break;
            }
            const auto mark = " новое " + std::to_string(brief.revision);
            if (kind.item_is_text) {
              item = item.get<std::string>() + mark;
            } else if (item.is_object()) {
              item.erase("extra");
              auto& text =
                  kind.text_field.empty() ? item[kind.options_field][0] : item[kind.text_field];
              text = text.get<std::string>() + mark;
            }
            return RevisionDelivered{brief.item, brief.revision, item.dump()};
          }};
}

}  // namespace flagman::arbiter::testing
