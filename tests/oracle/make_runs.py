#!/usr/bin/env python3
"""Random recorded runs (`flagman.run/1`) for the differential test of replay.

    python3 make_runs.py --seed N --count K --out DIR

Writes K files `<seed>-<i>.run.jsonl`; the same seed gives the same bytes. The
engine of the oracle is driven with an inventing source, so most calls get an
answer that fits what was asked. Inputs on which the contract can be read in two
ways are avoided; `--unclear` lets them in.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from engine import MISSING, PackageRecord, Policy, Question, Trace, replay_package
from invent_answers import Answers
from invent_package import ALL_KINDS, DOCUMENT_HEAD, ItemMaker, shared_part, spoil_document, spoil_item, twin_of
from kinds import KINDS, Kind
from package import Game, Item, Rejected, parse_package
from replay_oracle import FORMAT, parse_policy
from texts import exact_number

SOLVERS = ("strict", "methodist", "pupil", "editor")
ATTEMPTS = 50
Line = dict[str, Any]


class Unclear(Exception):
    """The invented run touches what the contract leaves open; invent another."""


class Inventor:
    """One run; it is the engine's source and writes down what it says."""

    def __init__(self, rng: Random, unclear: bool) -> None:
        self.rng, self.unclear = rng, unclear
        self.policy_line = _policy(rng, unclear)
        self.policy = parse_policy(self.policy_line)
        self.makers: dict[tuple[str, str], ItemMaker] = {}
        trouble = 0.08 if rng.random() < 0.15 else 0.0
        self.calm = rng.random() < 0.3
        self.answers = Answers(rng, self.policy, trouble, self.calm)
        self.packages: list[Line] = []
        self.events: list[Line] = []
        self.records: list[PackageRecord] = []

    # The engine's questions

    def reply(self, question: Question, call: int) -> Mapping[str, Any] | None:
        if question.is_hearing and not self.unclear:
            _refuse_equal_numbers(question, self.policy)
        response = self.answers.respond(question, call)
        if response is None:
            if self.rng.random() < 0.5:  # a later call must not stand for the missing one
                self._call(question.package, question.step, call + 1, {"status": "ok", "http": 200, "body": "{}"})
            return None
        self._call(question.package, question.step, call, response)
        return response

    def rebuild(self, package: str, game: Game, item: Item, revision: int) -> Any:
        maker = self.makers[package, game.kind.name]
        way = self.rng.choice(("good",) * 7 + ("spoiled", "missing", "twin"))
        if way == "missing":
            self.answers.left_behind.add((package, game.kind.name, item.ordinal))
            return MISSING
        data = self._rebuilt(maker, game, item, way)
        self.events.append(
            {"type": "rebuild", "package": package, "item": f"{game.kind.name}/{item.ordinal}",
             "revision": revision, "data": data}
        )
        return data

    def _rebuilt(self, maker: ItemMaker, game: Game, item: Item, way: str) -> Any:
        data = maker.item()
        if game.kind.name == "quiz":
            # A changed question could change the echo of settled items beside it.
            keep = item.text is not None and not item.faults and way != "spoiled"
            data["q"] = item.text if keep else maker.own_question()
        if way == "spoiled":
            return self._spoiled(maker, data)
        others = [other for other in game.items if other.ordinal != item.ordinal and not other.faults]
        if way == "twin" and others:
            other = self.rng.choice(others).raw
            return twin_of(self.rng, maker.kind, maker.raw_game, other, self._same_key(maker.kind))
        return data

    def _spoiled(self, maker: ItemMaker, item: Any) -> Any:
        if maker.kind.name == "quiz" and not self.unclear:
            item["q"] = maker.own_question()  # does a broken item's question count as repeated?
        return spoil_item(self.rng, maker.kind, maker.raw_game, item)

    def _call(self, package: str, step: str, call: int, response: Mapping[str, Any]) -> None:
        line: Line = {"type": "call", "package": package, "step": step, "call": call, "response": response}
        if self.rng.random() < 0.1:
            line |= {"model": "invented-1", "usage": {"input_tokens": 11, "output_tokens": 7},
                     "latency_ms": 1250, "at": "2026-09-01T08:00:01Z"}
        self.events.append(line)

    # The run

    def invent(self) -> None:
        for number in range(self.rng.choice((1, 1, 1, 2, 2, 3))):
            name = f"{self.rng.choice(('п', 'p', 'урок '))}{number + 1}"
            body = self._body(name)
            self.packages.append({"type": "package", "package": name, "body": body})
            self.records.append(replay_package(name, body, self.policy, self, Trace()))
        if not self.unclear:
            self._refuse_unclear()
        self._add_superfluous()

    def _body(self, name: str) -> Any:
        document = self._document(name)
        if self.rng.random() < 0.1:
            body = spoil_document(self.rng, document)
            if not self.unclear and (not isinstance(parsed := parse_package(body), Rejected) or len(parsed.reasons) > 1):
                raise Unclear
            return body
        if self.rng.random() < 0.05:
            return self.rng.choice(("", "\ufeff")) + json.dumps(document, ensure_ascii=False)
        if self.unclear and self.rng.random() < 0.03:
            return "[]"
        return document

    def _document(self, name: str) -> Line:
        count = self.rng.choice((1, 2, 2, 3, 3, 4, 5, 10))
        kinds = self.rng.sample(ALL_KINDS, count)
        document: Line = dict(DOCUMENT_HEAD)
        for optional in self.rng.sample(sorted(set(document) - {"format"}), self.rng.randint(0, 3)):
            del document[optional]
        document["games"] = {kind.name: self._game(name, kind.name) for kind in kinds}
        if self.rng.random() < 0.1:
            document["source"] = {"tool": "constructor", "list": [1, None, {"a": 0.5}]}
        return document

    def _game(self, package: str, kind_name: str) -> Line:
        kind = KINDS[kind_name]
        raw = shared_part(self.rng, kind)
        maker = self.makers[package, kind_name] = ItemMaker(self.rng, kind, raw)
        sound: list[Any] = []
        for _ in range(self.rng.choice((1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 12))):
            item = maker.item()
            draw = self.rng.random() * (8 if self.calm else 1)
            if draw < 0.07:
                item = self._spoiled(maker, item)
            elif draw < 0.12 and sound:
                item = twin_of(self.rng, kind, raw, self.rng.choice(sound), self._same_key(kind))
            elif draw < 0.17 and sound and self.unclear:
                _blur(self.rng, kind, item, self.rng.choice(sound))
            else:
                sound.append(item)
            raw["data"].append(item)
        return raw

    def _same_key(self, kind: Kind) -> bool:
        return self.rng.random() < 0.6 or kind.form == "none"

    def _refuse_unclear(self) -> None:
        for record in self.records:
            for item in record.items:
                for entry in item.history:
                    structural = [code for code in entry.reasons if code != "rounds_exhausted"]
                    if entry.route == "structural" and (len(structural) > 1 or "ambiguous_pair" in structural):
                        raise Unclear

    def _add_superfluous(self) -> None:
        """Calls that nobody asks for, rebuilds of what was not flagged, the run's own decisions."""
        taken = {(line["package"], line.get("step")) for line in self.events}
        for record in self.records:
            for item in record.items:
                self._maybe_rebuild(record.package, item.name, item.final.outcome, item.final.revision)
            for step in ("solve/strict/quiz@9", "solve/nobody/sort@1", "arbiter/wheel/0@1/ab",
                         "solve/strict/gap@1#7", "rebuild/sort/0@1"):
                if self.rng.random() < 0.05 and (record.package, step) not in taken:
                    self._call(record.package, step, 1, {"status": "ok", "http": 200, "body": '{"answers":[]}'})
        for line in [line for line in self.events if line.get("call") == 1 and self.rng.random() < 0.02]:
            self.events.append(line | {"call": 4})

    def _maybe_rebuild(self, package: str, name: str, outcome: str, revision: int) -> None:
        if outcome == "flagged" or self.rng.random() > 0.03:
            return
        maker = self.makers[package, name.split("/")[0]]
        self.events.append({"type": "rebuild", "package": package, "item": name, "revision": revision + 1,
                            "data": maker.item()})

    def lines(self) -> list[Line]:
        head = {"type": "run", "format": FORMAT, "flagman": "0.1.0", "started_at": "2026-09-01T08:00:00Z",
                "policy": self.policy_line}
        if self.rng.random() < 0.3:
            self.rng.shuffle(self.events)
        decisions = self._decisions() if self.rng.random() < 0.3 else []
        return [head, *self.packages, *self.events, *decisions, {"type": "end"}]

    def _decisions(self) -> list[Line]:
        return [
            {"type": "decision", "package": record.package, "item": item.name, "revision": item.final.revision,
             "outcome": item.final.outcome, "reasons": list(item.final.reasons), "key": item.final.key,
             "route": item.final.route}
            for record in self.records
            for item in record.items
            if item.final.outcome != "not_recorded"
        ]


def invent_run(seed: str, unclear: bool) -> tuple[str, Inventor]:
    for attempt in range(ATTEMPTS):
        rng = Random(f"{seed}/{attempt}")
        inventor = Inventor(rng, unclear)
        try:
            inventor.invent()
        except Unclear:
            continue
        lines = [json.dumps(line, ensure_ascii=False) for line in inventor.lines()]
        if rng.random() < 0.04:
            lines = _unusable(rng, lines)
        return "\n".join(lines) + "\n", inventor
    raise RuntimeError(f"no clear run for seed {seed}")


def _refuse_equal_numbers(question: Question, policy: Policy) -> None:
    """Are two wrong answers that are the same number one candidate or two?"""
    if question.game.kind.form != "short" or not policy.short_answers:
        return
    values = [value for text in question.candidates if (value := exact_number(text)) is not None]
    if len(set(values)) < len(values):
        raise Unclear


def _blur(rng: Random, kind: Kind, item: Any, other: Any) -> None:
    """Nearly the same item: another order of the same choices, one partner for two."""
    if kind.is_pair:
        item[kind.key] = other[kind.key]
    elif kind.form == "choice":
        item[kind.choices] = rng.sample(other[kind.choices], len(other[kind.choices]))
        item["key"] = rng.randrange(len(item[kind.choices]))
        item |= {"q": other["q"]} if "q" in other else {}


def _policy(rng: Random, unclear: bool) -> Line:
    fields: Line = {
        "solvers": list(rng.sample(SOLVERS, rng.choice((2, 2, 2, 3, 4)))),
        "arbiter_orders": rng.choice(("both", "both", "single")),
        "max_rounds": rng.choice((1, 2, 2, 3)),
        "gap_max": rng.choice((6, 6, 3, 2) + ((1, 0) if unclear else ())),
        "sheet_max": rng.choice((40, 40, 1, 2, 3, 5)),
        "authority": rng.choice(({"short_answers": True, "dictionary": False}, {"short_answers": False}, {}, {"dictionary": False})),
        "near_duplicate": rng.choice((0.9, 0.95, 1)),
        "after_last_round": rng.choice(("reject", "reject", "review")),
    }
    for name in list(fields):
        if rng.random() < 0.15:
            del fields[name]
    return fields


def _unusable(rng: Random, lines: list[str]) -> list[str]:
    """One fault that makes the whole run unusable."""
    head, middle = json.loads(lines[0]), rng.randrange(1, len(lines) - 1)
    twice = [line for line in lines[1:-1] if json.loads(line)["type"] != "decision"]
    match rng.randrange(12):
        case 0:
            return lines[:-1]
        case 1:
            return lines[1:]
        case 2:
            return [*lines[:middle], rng.choice(("", " ")), *lines[middle:]]
        case 3:
            return [*lines[:-1], rng.choice(twice), lines[-1]]
        case 4:
            return [*lines[:middle], '{"type":"note"}', *lines[middle:]]
        case 5:
            return [*lines[:middle], lines[middle][:-1] + ',"colour":1}', *lines[middle + 1 :]]
        case 6:
            head["policy"]["mood"] = "kind"
        case 7:
            head["policy"]["solvers"] = rng.choice((["strict"], []))
        case 8:
            return [*lines[:middle], lines[middle][: len(lines[middle]) // 2], *lines[middle + 1 :]]
        case 9:
            return [*lines[:middle], lines[middle][:-1] + ',"package":"п1"}', *lines[middle + 1 :]]
        case 10:
            head["format"] = "flagman.run/2"
        case _:
            head["policy"] |= rng.choice(({"max_rounds": 0}, {"arbiter_orders": "none"}, {"sheet_max": "40"}, {"authority": {"luck": True}}))
    return [json.dumps(head, ensure_ascii=False), *lines[1:]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--unclear", action="store_true", help="also what the contract leaves open")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for number in range(arguments.count):
        text, _ = invent_run(f"{arguments.seed}-{number}", arguments.unclear)
        (arguments.out / f"{arguments.seed}-{number}.run.jsonl").write_bytes(text.encode())


if __name__ == "__main__":
    main()
