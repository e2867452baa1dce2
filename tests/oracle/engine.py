"""Rounds, sheets, tally and hearing (CONTRACTS §3 to §6).

Answers come from a source: the recorded one of a replay, or one that invents
them. The engine is the same for both, so whoever invents a run is asked in the
order in which a replay will ask.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from package import Game, Item, Package, Rejected, comparison_faults, parse_package, read_item
from reply import Ballot, Refused, Ruling, read_ballots, read_ruling, reply_came
from texts import contains_words, expands, same_short_answer, tidy

ASKS_MAX = 3
MISSING: Any = object()


@dataclass(frozen=True)
class Policy:
    """§6, with the defaults of what is absent."""

    solvers: tuple[str, ...] = ("strict", "methodist")
    arbiter_orders: str = "both"
    max_rounds: int = 2
    gap_max: int = 6
    sheet_max: int = 40
    short_answers: bool = True
    after_last_round: str = "reject"

    @property
    def orders(self) -> tuple[str, ...]:
        return ("ab", "ba") if self.arbiter_orders == "both" else ("ab",)


@dataclass(frozen=True)
class Question:
    """One step: what a solver or the arbiter is asked."""

    package: str
    step: str
    game: Game
    items: tuple[int, ...]  # ordinals; one alone for the arbiter
    candidates: tuple[str, ...] = ()  # of the arbiter, in the order shown

    @property
    def is_hearing(self) -> bool:
        return self.step.startswith("arbiter/")


class Source(Protocol):
    def reply(self, question: Question, call: int) -> Mapping[str, Any] | None:
        """The response to this ask, or None where there is none."""

    def rebuild(self, package: str, game: Game, item: Item, revision: int) -> Any:
        """The new revision's data, or MISSING."""


@dataclass(frozen=True)
class Decision:
    revision: int
    outcome: str
    route: str | None
    reasons: tuple[str, ...]
    key: Any


@dataclass
class ItemRecord:
    name: str  # sort/3
    history: list[Decision] = field(default_factory=list)

    @property
    def final(self) -> Decision:
        return self.history[-1]


@dataclass
class PackageRecord:
    package: str
    outcome: str
    reasons: tuple[str, ...]
    items: list[ItemRecord]


@dataclass
class Trace:
    """What happened on the way, for those who want to know."""

    not_recorded: list[str] = field(default_factory=list)
    refusals: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Verdict:
    """What a stage says of one item; an outcome of `disputed` is not final."""

    outcome: str
    route: str | None = None
    reasons: tuple[str, ...] = ()


NOT_RECORDED = Verdict("not_recorded")


def replay_package(
    name: str, body: Any, policy: Policy, source: Source, trace: Trace
) -> PackageRecord:
    parsed = parse_package(body, policy.gap_max)
    if isinstance(parsed, Rejected):
        return PackageRecord(name, "rejected", parsed.reasons, [])
    records = _Replay(name, parsed, policy, source, trace).run()
    outcome = package_outcome([record.final.outcome for record in records])
    return PackageRecord(name, outcome, (), records)


def package_outcome(outcomes: Sequence[str]) -> str:
    """§5, once nothing is open."""
    for outcome in ("rejected", "manual_review", "not_recorded"):
        if outcome in outcomes:
            return outcome
    return "awaiting_rebuild" if "flagged" in outcomes else "accepted"


def tally(game: Game, item: Item, ballots: Sequence[Ballot], policy: Policy) -> Verdict:
    """§3, «From ballots to an outcome»."""
    broken_for_all = broken_for_some = False
    if game.kind.is_pair:
        calls = [ballot.relation == "expansion" for ballot in ballots]
        broken = any(calls) and not expands(item.text or "", str(item.author), policy.gap_max)
        broken_for_all, broken_for_some = broken and all(calls), broken
    unsound = [not ballot.ok for ballot in ballots]
    if broken_for_all:
        return Verdict("flagged", "solvers", ("pair_does_not_expand",))
    if all(unsound):
        return Verdict("flagged", "solvers", ("solver_says_unsound",))
    as_author = all(equals_author(game, item, ballot.answer, policy) for ballot in ballots)
    if as_author and not any(unsound) and not broken_for_some:
        return Verdict("accepted", "solvers")
    return Verdict(
        "disputed", reasons=("solver_says_unsound" if any(unsound) else "solvers_disagree",)
    )


def equals_author(
    game: Game, item: Item, answer: str | tuple[str, ...] | None, policy: Policy
) -> bool:
    """§3: by `tidy`; a short answer also by `accept` and as an exact number."""
    if game.kind.form == "none":
        return True
    if isinstance(answer, tuple):
        return tuple(map(tidy, answer)) == tuple(map(tidy, item.author or ()))
    if game.kind.form == "short":
        right = (str(item.author), *item.accept)
        return any(same_short_answer(str(answer), one, policy.short_answers) for one in right)
    return tidy(str(answer)) == tidy(str(item.author))


def candidates_of(
    game: Game, item: Item, ballots: Sequence[Ballot], policy: Policy
) -> tuple[str, ...]:
    """§4: the author's answer and every other that does not equal it, in order `ab`."""
    if game.kind.form == "none":
        return ("sound", "unsound")
    others = [b.answer for b in ballots if not equals_author(game, item, b.answer, policy)]
    shown = [candidate_text(answer) for answer in (item.author, *others)]
    unique = {tidy(text): text for text in reversed(shown)}  # the first spelling stays
    return tuple(unique[form] for form in sorted(unique, key=lambda form: form.encode()))


def candidate_text(answer: str | tuple[str, ...] | None) -> str:
    return " → ".join(answer) if isinstance(answer, tuple) else str(answer)


def author_candidate(game: Game, item: Item) -> str:
    return "sound" if game.kind.form == "none" else candidate_text(item.author)


def explanation_contradicts(game: Game, item: Item, candidates: Sequence[str], ruling: Ruling) -> bool:
    """§4: it names another candidate, or its word, and not the chosen one."""

    def named(candidate: str) -> bool:
        ways = [candidate, *game.filling_of(item, candidate)]
        return any(contains_words(ruling.why, way) for way in ways)

    chosen = tidy(str(ruling.choice))
    others = [candidate for candidate in candidates if tidy(candidate) != chosen]
    return any(map(named, others)) and not named(chosen)


class _Replay:
    """One package's way through its rounds."""

    def __init__(
        self, name: str, package: Package, policy: Policy, source: Source, trace: Trace
    ) -> None:
        self.name, self.games, self.policy = name, package.games, policy
        self.source, self.trace = source, trace
        self.records = {
            kind: [ItemRecord(f"{kind}/{item.ordinal}") for item in game.items]
            for kind, game in self.games.items()
        }

    def run(self) -> list[ItemRecord]:
        open_items = {kind: [item.ordinal for item in game.items] for kind, game in self.games.items()}
        for round_number in range(1, self.policy.max_rounds + 1):
            verdicts = {
                kind: self.judge(self.games[kind], ordinals, round_number)
                for kind, ordinals in open_items.items()
            }
            open_items = {
                kind: [
                    ordinal
                    for ordinal, verdict in sorted(of_game.items())
                    if self.settle(self.games[kind], ordinal, verdict, round_number)
                ]
                for kind, of_game in verdicts.items()
            }
        return [record for records in self.records.values() for record in records]

    def judge(self, game: Game, ordinals: Sequence[int], round_number: int) -> dict[int, Verdict]:
        """One game in one round: structure, then sheets, then hearings."""
        verdicts = self.structural(game, ordinals)
        left = [ordinal for ordinal in ordinals if ordinal not in verdicts]
        for number, sheet in enumerate(_sheets(left, self.policy.sheet_max), start=1):
            suffix = f"{game.kind.name}@{round_number}" + (f"#{number}" if number > 1 else "")
            verdicts |= self.solve(game, sheet, suffix, round_number)
        return verdicts

    def structural(self, game: Game, ordinals: Sequence[int]) -> dict[int, Verdict]:
        faults = {i: game.items[i].faults for i in ordinals if game.items[i].faults}
        faults |= comparison_faults(game, ordinals)
        return {i: Verdict("flagged", "structural", codes) for i, codes in faults.items()}

    def solve(
        self, game: Game, sheet: tuple[int, ...], suffix: str, round_number: int
    ) -> dict[int, Verdict]:
        # Everybody is asked whatever the others said, so that what a run
        # needs does not depend on the order of arrival.
        results = [
            self.ask(
                Question(self.name, f"solve/{solver}/{suffix}", game, sheet),
                lambda response: read_ballots(response, game, sheet),
            )
            for solver in self.policy.solvers
        ]
        if failure := _failure(results, "no_valid_ballot", "solvers"):
            return dict.fromkeys(sheet, failure)
        verdicts = {}
        for ordinal in sheet:
            ballots = [result.value[ordinal] for result in results]
            verdict = tally(game, game.items[ordinal], ballots, self.policy)
            if verdict.outcome == "disputed":
                verdict = self.hear(game, ordinal, ballots, verdict.reasons, round_number)
            verdicts[ordinal] = verdict
        return verdicts

    def hear(
        self,
        game: Game,
        ordinal: int,
        ballots: Sequence[Ballot],
        dispute: tuple[str, ...],
        round_number: int,
    ) -> Verdict:
        """§4: both orders are always asked; the first ground that holds counts."""
        item = game.items[ordinal]
        candidates = candidates_of(game, item, ballots, self.policy)
        results = []
        for order in self.policy.orders:
            shown = candidates if order == "ab" else candidates[::-1]
            step = f"arbiter/{game.kind.name}/{ordinal}@{round_number}/{order}"
            results.append(
                self.ask(
                    Question(self.name, step, game, (ordinal,), shown),
                    lambda response: read_ruling(response, game, ordinal, candidates),
                )
            )
        if failure := _failure(results, "arbiter_invalid", "arbiter"):
            return Verdict(failure.outcome, failure.route, failure.reasons + dispute)
        reason = _ground(game, item, candidates, [result.value for result in results])
        if reason is None:
            return Verdict("accepted", "arbiter")
        return Verdict("flagged", "arbiter", (reason, *dispute))

    def ask(self, question: Question, read: Any) -> "_Result":
        """§3: three asks in all, whatever failed."""
        came = False
        for call in range(1, ASKS_MAX + 1):
            response = self.source.reply(question, call)
            if response is None:
                self.trace.not_recorded.append(f"{self.name}: {question.step}: call {call}")
                return _Result("not_recorded")
            if not reply_came(response):
                self.trace.refusals["(no reply)"] += 1
                continue
            came = True
            try:
                return _Result("read", read(response))
            except Refused as refused:
                self.trace.refusals[refused.reason] += 1
        return _Result("refused" if came else "no_reply")

    def settle(self, game: Game, ordinal: int, verdict: Verdict, round_number: int) -> bool:
        """Writes the decision down; true if the item goes into the next round."""
        item = game.items[ordinal]
        outcome, reasons = verdict.outcome, verdict.reasons
        last = round_number == self.policy.max_rounds
        if outcome == "flagged" and last:
            outcome = "rejected" if self.policy.after_last_round == "reject" else "manual_review"
            reasons = ("rounds_exhausted", *reasons)
        record = self.records[game.kind.name][ordinal]
        record.history.append(Decision(item.revision, outcome, verdict.route, reasons, item.key))
        if outcome != "flagged":
            return False
        data = self.source.rebuild(self.name, game, item, round_number + 1)
        if data is MISSING:
            return False
        game.items[ordinal] = read_item(game, data, ordinal, round_number + 1)
        return True


@dataclass(frozen=True)
class _Result:
    state: str  # read, refused, no_reply, not_recorded
    value: Any = None


def _failure(results: Sequence[_Result], unreadable: str, route: str) -> Verdict | None:
    states = [result.state for result in results]
    if "not_recorded" in states:
        return NOT_RECORDED
    if "no_reply" in states:
        return Verdict("manual_review", route, ("model_unavailable",))
    return Verdict("manual_review", route, (unreadable,)) if "refused" in states else None


def _ground(
    game: Game, item: Item, candidates: Sequence[str], rulings: Sequence[Ruling]
) -> str | None:
    choices = {None if ruling.choice is None else tidy(ruling.choice) for ruling in rulings}
    if len(choices) > 1:
        return "arbiter_unstable"
    choice = choices.pop()
    if choice is None:
        return "arbiter_none"
    if choice != tidy(author_candidate(game, item)):
        return "arbiter_disagrees"
    contradicts = any(explanation_contradicts(game, item, candidates, one) for one in rulings)
    return "arbiter_contradicts_itself" if contradicts else None


def _sheets(ordinals: Sequence[int], sheet_max: int) -> Iterator[tuple[int, ...]]:
    for start in range(0, len(ordinals), sheet_max):
        yield tuple(ordinals[start : start + sheet_max])
