#include "arbiter/round.h"

#include <algorithm>
#include <utility>

#include "arbiter/tally.h"
#include "validators/echo.h"
#include "validators/read_package.h"
#include "validators/relations.h"
#include "validators/text.h"

namespace flagman::arbiter {
namespace {

using validators::AnswerForm;
using validators::Item;
using validators::ItemName;
using validators::Reason;

Reason reason_of(Verdict flag) {
  switch (flag) {
    case Verdict::flag_unstable:
      return Reason::arbiter_unstable;
    case Verdict::flag_contradicts_itself:
      return Reason::arbiter_contradicts_itself;
    case Verdict::flag_none:
      return Reason::arbiter_none;
    case Verdict::flag_disagrees:
    case Verdict::uphold:
      break;
  }
  return Reason::arbiter_disagrees;
}

std::size_t index_of(Order order) { return order == Order::ab ? 0 : 1; }

bool is_final(Outcome outcome) {
  return outcome != Outcome::pending && outcome != Outcome::solving && outcome != Outcome::disputed;
}

// One event's work on the state. Commands are collected in the order in which things became so.
class Machine {
 public:
  explicit Machine(RoundState& state) : state_(state) {}

  std::vector<Command> take_commands() { return std::move(commands_); }

  void start() { start_round(1); }

  void operator()(const SolverAnswered& event) {
    const auto at = find_sheet(event.step);
    if (!at) return;
    auto& asking = at->sheet->asking[at->solver];
    if (asking.state != Asking::State::open || asking.call != event.call) return;
    auto ballots = parse_ballots(event.response, at->sheet->sheet, at->game->echoes);
    if (ballots) {
      asking.state = Asking::State::answered;
      commands_.push_back(BallotsTaken{event.step, event.call, at->sheet->ordinals, *ballots});
      at->sheet->ballots[at->solver] = std::move(*ballots);
    } else if (failed_and_asked_again(asking, to_text(event.step), event.response,
                                      ballots.error())) {
      commands_.push_back(AskSolver{event.step, asking.call, at->sheet->sheet});
    }
    settle_sheet(*at->game, *at->sheet);
  }

  void operator()(const SolverNotRecorded& event) {
    const auto at = find_sheet(event.step);
    if (!at) return;
    auto& asking = at->sheet->asking[at->solver];
    if (asking.state != Asking::State::open) return;
    asking.state = Asking::State::not_recorded;
    settle_sheet(*at->game, *at->sheet);
  }

  void operator()(const ArbiterAnswered& event) {
    auto* game = find_game(event.step.item.kind);
    auto* item = find_heard(event.step);
    if (game == nullptr || item == nullptr) return;
    const auto order = index_of(event.step.order);
    auto& asking = item->asking[order];
    if (asking.state != Asking::State::open || asking.call != event.call) return;
    const auto ruling =
        parse_ruling(event.response, event.step.item.ordinal, item->candidates, game->echoes);
    if (ruling) {
      asking.state = Asking::State::answered;
      item->rulings[order] = *ruling;
      std::optional<std::string> choice;
      if (ruling->choice) choice = item->candidates[*ruling->choice].text;
      commands_.push_back(RulingTaken{event.step, event.call, std::move(choice), ruling->why});
    } else if (failed_and_asked_again(asking, to_text(event.step), event.response,
                                      ruling.error())) {
      ask_arbiter(*game, *item, event.step);
    }
    settle_hearing(*game, *item, event.step.item.ordinal);
  }

  void operator()(const ArbiterNotRecorded& event) {
    auto* game = find_game(event.step.item.kind);
    auto* item = find_heard(event.step);
    if (game == nullptr || item == nullptr) return;
    auto& asking = item->asking[index_of(event.step.order)];
    if (asking.state != Asking::State::open) return;
    asking.state = Asking::State::not_recorded;
    settle_hearing(*game, *item, event.step.item.ordinal);
  }

  void operator()(const RevisionDelivered& event) {
    auto* game = find_game(event.item.kind);
    auto* item = find_item(game, event.item);
    if (item == nullptr || !item->awaits_revision || event.revision != state_.round + 1) {
      commands_.push_back(DeliveryRefused{event.item, event.revision});
      return;
    }
    item->awaits_revision = false;
    item->next = validators::read_item(event.written, *game->kind, game->terms, event.item,
                                       check_policy(state_.policy));
    commands_.push_back(RevisionTaken{event.item, event.revision, event.written});
    end_round();
  }

  void operator()(const RevisionNotRecorded& event) {
    auto* item = find_item(find_game(event.item.kind), event.item);
    if (item == nullptr || !item->awaits_revision) return;
    item->awaits_revision = false;
    end_round();
  }

  void operator()(const RevisionOverdue& event) {
    auto* item = find_item(find_game(event.item.kind), event.item);
    if (item == nullptr || !item->awaits_revision) return;
    item->awaits_revision = false;
    auto& last = item->history.back();
    item->outcome = last.outcome = Outcome::manual_review;
    last.reasons.insert(last.reasons.begin(), Reason::rebuild_overdue);
    commands_.push_back(ItemDecided{event.item, last});
    end_round();
  }

  void operator()(const OperatorDecided& event) {
    auto* game = find_game(event.item.kind);
    auto* item = find_item(game, event.item);
    if (item == nullptr || item->outcome != Outcome::manual_review) return;
    // The decision takes the place of "a person looks": a revision has one outcome.
    item->history.pop_back();
    item->keys_written.pop_back();
    state_.outcome.reset();
    const auto ordinal = static_cast<std::size_t>(event.item.ordinal);
    switch (event.act) {
      case OperatorAct::accept:
        decide(*game, ordinal, Outcome::accepted, Route::op, {});
        break;
      case OperatorAct::reject:
        decide(*game, ordinal, Outcome::rejected, Route::op, {Reason::operator_decision});
        break;
      case OperatorAct::rebuild:
        item->last_round = std::max(item->last_round, state_.round + 1);
        decide(*game, ordinal, Outcome::flagged, Route::op, {Reason::operator_decision});
        break;
    }
    end_round();
  }

  void operator()(const PackageCancelled&) {
    // What waits for a person is not finished.
    if (state_.outcome && state_.outcome != PackageOutcome::manual_review) return;
    state_.outcome = PackageOutcome::cancelled;
    commands_.push_back(PackageDecided{PackageOutcome::cancelled, {}});
  }

 private:
  // ---- finding things ----

  struct SheetPlace {
    GameProgress* game;
    SheetProgress* sheet;
    std::size_t solver;
  };

  GameProgress* find_game(std::string_view kind) {
    const auto found =
        std::find_if(state_.games.begin(), state_.games.end(),
                     [&](const GameProgress& game) { return game.kind->name == kind; });
    return found == state_.games.end() ? nullptr : &*found;
  }

  static ItemProgress* find_item(GameProgress* game, const ItemName& name) {
    if (game == nullptr || name.ordinal < 0) return nullptr;
    const auto at = static_cast<std::size_t>(name.ordinal);
    return at < game->items.size() ? &game->items[at] : nullptr;
  }

  std::optional<SheetPlace> find_sheet(const SolveStep& step) {
    auto* game = find_game(step.kind);
    const auto& solvers = state_.policy.solvers;
    const auto solver = std::find(solvers.begin(), solvers.end(), step.solver);
    if (game == nullptr || step.round != state_.round || solver == solvers.end()) {
      return std::nullopt;
    }
    for (auto& sheet : game->sheets) {
      if (sheet.number == step.sheet) {
        return SheetPlace{game, &sheet, static_cast<std::size_t>(solver - solvers.begin())};
      }
    }
    return std::nullopt;
  }

  ItemProgress* find_heard(const HearingStep& step) {
    auto* item = find_item(find_game(step.item.kind), step.item);
    if (item == nullptr || item->outcome != Outcome::disputed || step.round != state_.round ||
        index_of(step.order) >= orders()) {
      return nullptr;
    }
    return item;
  }

  [[nodiscard]] std::size_t orders() const {
    return state_.policy.arbiter_orders == ArbiterOrders::both ? 2 : 1;
  }

  // ---- rounds ----

  void start_round(int round) {
    state_.round = round;
    for (auto& game : state_.games) {
      for (auto& item : game.items) {
        if (item.next) take_revision(item, round);
      }
    }
    for (auto& game : state_.games) see_texts(game);
    for (auto& game : state_.games) judge_structure(game);
    for (auto& game : state_.games) open_sheets(game);
    end_round();
  }

  static void take_revision(ItemProgress& progress, int round) {
    ItemProgress fresh;
    fresh.item = std::move(*progress.next);
    fresh.revision = round;
    fresh.last_round = progress.last_round;
    fresh.history = std::move(progress.history);
    fresh.keys_written = std::move(progress.keys_written);
    progress = std::move(fresh);
  }

  static void see_texts(GameProgress& game) {
    std::vector<const Item*> items;
    items.reserve(game.items.size());
    for (const auto& progress : game.items) items.push_back(&progress.item);
    game.echoes = validators::echo_texts(*game.kind, items);
  }

  [[nodiscard]] bool judged_now(const ItemProgress& progress) const {
    return progress.revision == state_.round && progress.outcome == Outcome::pending;
  }

  void judge_structure(GameProgress& game) {
    // The reader has compared the author's first items; a revision meets its game as it stands now.
    if (state_.round > 1) compare_revisions(game);
    for (std::size_t i = 0; i < game.items.size(); ++i) {
      auto& progress = game.items[i];
      if (!judged_now(progress)) continue;
      if (progress.item.sound()) {
        progress.outcome = Outcome::solving;
      } else {
        decide(game, i, Outcome::flagged, Route::structural,
               reasons_of(progress.item.all_findings(), validators::Severity::flag));
      }
    }
  }

  void compare_revisions(GameProgress& game) {
    validators::RelatedItems related{game.kind, {}, {}};
    bool any = false;
    for (const auto& progress : game.items) {
      const bool open = judged_now(progress) && progress.item.well_formed();
      any = any || open;
      related.items.push_back(&progress.item);
      related.open.push_back(open);
    }
    if (!any) return;
    for (auto& finding : validators::check_relations({related}, check_policy(state_.policy))) {
      auto& item = game.items[static_cast<std::size_t>(finding.item->ordinal)].item;
      item.relations.push_back(std::move(finding));
    }
  }

  void open_sheets(GameProgress& game) {
    game.sheets.clear();
    std::vector<int> open;
    for (std::size_t i = 0; i < game.items.size(); ++i) {
      if (game.items[i].outcome == Outcome::solving) open.push_back(static_cast<int>(i));
    }
    if (open.empty()) return;
    const auto faces = make_faces(game);
    const auto sheet_max = static_cast<std::size_t>(state_.policy.sheet_max);
    const auto solvers = state_.policy.solvers.size();
    for (std::size_t begin = 0; begin < open.size(); begin += sheet_max) {
      const auto end = std::min(open.size(), begin + sheet_max);
      SheetProgress sheet;
      sheet.number = static_cast<int>(game.sheets.size()) + 1;
      sheet.ordinals.assign(open.begin() + static_cast<std::ptrdiff_t>(begin),
                            open.begin() + static_cast<std::ptrdiff_t>(end));
      sheet.sheet = make_blind_sheet(faces, sheet.ordinals);
      sheet.asking.resize(solvers);
      sheet.ballots.resize(solvers);
      for (const auto& solver : state_.policy.solvers) {
        commands_.push_back(
            AskSolver{{solver, game.kind->name, state_.round, sheet.number}, 1, sheet.sheet});
      }
      game.sheets.push_back(std::move(sheet));
    }
  }

  [[nodiscard]] Setting make_setting(const GameProgress& game) const {
    const auto& package = state_.description;
    return {package.topic,   package.subject,  package.language, package.grade,
            game.kind->name, game.terms.texts, game.terms.labels};
  }

  [[nodiscard]] GameFaces make_faces(const GameProgress& game) const {
    GameFaces faces;
    faces.kind = game.kind;
    faces.setting = make_setting(game);
    faces.echoes = game.echoes;
    for (const auto& progress : game.items) {
      faces.faces.push_back(progress.item.face ? &*progress.item.face : nullptr);
      if (game.kind->answer == AnswerForm::partner && progress.item.key) {
        faces.right_sides.push_back(std::get<std::string>(progress.item.key->answer()));
      }
    }
    // Sorted, so that which side belongs to which item leaves no trace in what is built from here.
    std::sort(faces.right_sides.begin(), faces.right_sides.end());
    return faces;
  }

  void end_round() {
    if (state_.outcome) return;
    bool any_next = false;
    for (const auto& game : state_.games) {
      for (const auto& item : game.items) {
        if (!is_final(item.outcome) || item.awaits_revision) return;
        any_next = any_next || item.next.has_value();
      }
    }
    if (any_next) {
      start_round(state_.round + 1);
    } else {
      finish();
    }
  }

  void finish() {
    const auto any = [&](Outcome outcome) {
      return std::any_of(state_.games.begin(), state_.games.end(), [&](const auto& game) {
        return std::any_of(game.items.begin(), game.items.end(),
                           [&](const auto& item) { return item.outcome == outcome; });
      });
    };
    auto outcome = PackageOutcome::accepted;
    if (any(Outcome::rejected)) {
      outcome = PackageOutcome::rejected;
    } else if (any(Outcome::manual_review)) {
      outcome = PackageOutcome::manual_review;
    } else if (any(Outcome::not_recorded)) {
      outcome = PackageOutcome::not_recorded;
    } else if (any(Outcome::flagged)) {
      outcome = PackageOutcome::awaiting_rebuild;
    }
    state_.outcome = outcome;
    commands_.push_back(PackageDecided{outcome, {}});
  }

  // ---- decisions ----

  void decide(GameProgress& game, std::size_t ordinal, Outcome outcome, std::optional<Route> route,
              std::vector<Reason> reasons) {
    auto& progress = game.items[ordinal];
    const bool last_round = state_.round >= progress.last_round;
    if (outcome == Outcome::flagged && last_round) {
      outcome = state_.policy.after_last_round == AfterLastRound::reject ? Outcome::rejected
                                                                         : Outcome::manual_review;
      reasons.insert(reasons.begin(), Reason::rounds_exhausted);
    }
    progress.outcome = outcome;
    progress.history.push_back({progress.revision, outcome, route, std::move(reasons)});
    progress.keys_written.push_back(progress.item.key_written());
    const ItemName name{game.kind->name, static_cast<int>(ordinal)};
    commands_.push_back(ItemDecided{name, progress.history.back()});
    if (outcome == Outcome::flagged) {
      progress.awaits_revision = true;
      commands_.push_back(RequestRebuild{make_brief(game, name, progress)});
    }
  }

  // Everything in a brief stands since the round began, whoever answered first in it.
  [[nodiscard]] RebuildBrief make_brief(const GameProgress& game, const ItemName& name,
                                        const ItemProgress& progress) const {
    RebuildBrief brief;
    brief.package = state_.package;
    brief.item = name;
    brief.revision = state_.round + 1;
    brief.topic = state_.description.topic;
    brief.subject = state_.description.subject;
    brief.language = state_.description.language;
    brief.grade = state_.description.grade;
    brief.game = game.terms.written();
    brief.current = progress.item.written();
    brief.findings = progress.item.all_findings();
    for (std::size_t i = 0; i < game.echoes.size(); ++i) {
      if (i != static_cast<std::size_t>(name.ordinal) && !game.echoes[i].empty()) {
        brief.neighbours.push_back(game.echoes[i]);
      }
    }
    return brief;
  }

  bool failed_and_asked_again(Asking& asking, const std::string& step,
                              const ModelResponse& response, Refusal refusal) {
    AskFailed failed{step, asking.call, std::nullopt};
    if (reply_came(response)) failed.refusal = refusal;
    commands_.push_back(std::move(failed));
    return ask_again(asking, response);
  }

  void settle_sheet(GameProgress& game, const SheetProgress& sheet) {
    if (any_in(sheet.asking, Asking::State::open)) return;
    for (std::size_t i = 0; i < sheet.ordinals.size(); ++i) {
      const auto ordinal = static_cast<std::size_t>(sheet.ordinals[i]);
      if (any_in(sheet.asking, Asking::State::not_recorded)) {
        decide(game, ordinal, Outcome::not_recorded, std::nullopt, {});
      } else if (any_in(sheet.asking, Asking::State::failed)) {
        decide(game, ordinal, Outcome::manual_review, Route::solvers,
               {any_failed_unheard(sheet.asking) ? Reason::model_unavailable
                                                 : Reason::no_valid_ballot});
      } else {
        tally(game, ordinal, sheet, i);
      }
    }
    end_round();
  }

  void tally(GameProgress& game, std::size_t ordinal, const SheetProgress& sheet,
             std::size_t position) {
    std::vector<Ballot> ballots;
    ballots.reserve(sheet.ballots.size());
    for (const auto& of_solver : sheet.ballots) ballots.push_back(of_solver[position]);
    auto& progress = game.items[ordinal];
    const auto tally = tally_ballots(progress.item, *game.kind, ballots, state_.policy);
    switch (tally.result) {
      case TallyResult::accepted:
        decide(game, ordinal, Outcome::accepted, Route::solvers, {});
        break;
      case TallyResult::flagged:
        decide(game, ordinal, Outcome::flagged, Route::solvers, {tally.reason});
        break;
      case TallyResult::disputed:
        open_hearing(game, ordinal, tally.reason, ballots);
        break;
    }
  }

  void open_hearing(GameProgress& game, std::size_t ordinal, Reason reason,
                    const std::vector<Ballot>& ballots) {
    auto& progress = game.items[ordinal];
    const ItemName name{game.kind->name, static_cast<int>(ordinal)};
    progress.outcome = Outcome::disputed;
    progress.dispute = reason;
    progress.candidates =
        make_candidates(progress.item, *game.kind, game.terms, ballots, state_.policy);
    commands_.push_back(HearingOpened{name, reason, progress.candidates});
    for (const auto order : {Order::ab, Order::ba}) {
      if (index_of(order) >= orders()) break;
      ask_arbiter(game, progress, {name, state_.round, order});
    }
  }

  void ask_arbiter(const GameProgress& game, const ItemProgress& progress,
                   const HearingStep& step) {
    const auto ordinal = step.item.ordinal;
    commands_.push_back(AskArbiter{
        step, progress.asking[index_of(step.order)].call,
        make_question(make_setting(game), ordinal, game.echoes[static_cast<std::size_t>(ordinal)],
                      progress.item.face->question, progress.candidates, step.order)});
  }

  void settle_hearing(GameProgress& game, ItemProgress& progress, int ordinal) {
    const std::vector<Asking> asking(
        progress.asking.begin(), progress.asking.begin() + static_cast<std::ptrdiff_t>(orders()));
    if (any_in(asking, Asking::State::open)) return;
    const auto at = static_cast<std::size_t>(ordinal);
    const Reason dispute = *progress.dispute;
    if (any_in(asking, Asking::State::not_recorded)) {
      decide(game, at, Outcome::not_recorded, std::nullopt, {dispute});
    } else if (any_in(asking, Asking::State::failed)) {
      decide(game, at, Outcome::manual_review, Route::arbiter,
             {any_failed_unheard(asking) ? Reason::model_unavailable : Reason::arbiter_invalid,
              dispute});
    } else {
      std::vector<Ruling> rulings;
      rulings.reserve(orders());
      for (std::size_t i = 0; i < orders(); ++i) rulings.push_back(*progress.rulings[i]);
      const auto verdict = decide_hearing(progress.candidates, rulings);
      commands_.push_back(HearingClosed{{game.kind->name, ordinal}, verdict});
      if (verdict == Verdict::uphold) {
        decide(game, at, Outcome::accepted, Route::arbiter, {});
      } else {
        decide(game, at, Outcome::flagged, Route::arbiter, {reason_of(verdict), dispute});
      }
    }
    end_round();
  }

  RoundState& state_;
  std::vector<Command> commands_;
};

}  // namespace

Start start_package(validators::PackageReading reading, std::string package, Policy policy) {
  Start start;
  auto& state = start.state;
  state.policy = std::move(policy);
  state.package = std::move(package);
  if (reading.rejected()) {
    state.description = std::move(reading.package);
    state.outcome = PackageOutcome::rejected;
    state.reasons = reasons_of(reading.findings, validators::Severity::reject);
    start.commands.push_back(PackageDecided{PackageOutcome::rejected, state.reasons});
    return start;
  }
  for (auto& game : reading.package.games) {
    GameProgress progress;
    progress.kind = game.kind;
    progress.terms = std::move(game.terms);
    progress.items.resize(game.items.size());
    for (std::size_t i = 0; i < game.items.size(); ++i) {
      progress.items[i].item = std::move(game.items[i]);
      progress.items[i].last_round = state.policy.max_rounds;
    }
    state.games.push_back(std::move(progress));
  }
  reading.package.games.clear();
  state.description = std::move(reading.package);
  Machine machine{state};
  machine.start();
  start.commands = machine.take_commands();
  return start;
}

std::vector<Command> apply(RoundState& state, const Event& event) {
  if (state.outcome == PackageOutcome::cancelled) return {};
  Machine machine{state};
  std::visit(machine, event);
  return machine.take_commands();
}

const ItemProgress* find_item(const RoundState& state, const ItemName& name) {
  for (const auto& game : state.games) {
    if (game.kind->name != name.kind || name.ordinal < 0) continue;
    const auto at = static_cast<std::size_t>(name.ordinal);
    return at < game.items.size() ? &game.items[at] : nullptr;
  }
  return nullptr;
}

}  // namespace flagman::arbiter
