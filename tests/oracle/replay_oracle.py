#!/usr/bin/env python3
"""An independent twin of `flagman replay RUN --json`, written from CONTRACTS.md alone.

    python3 replay_oracle.py RUN.jsonl

Prints what the contract's §6 and §7 ask for. Exit codes: 0 done, 2 an unusable
run, 3 a step was never recorded (each is named on standard error).

Two things are left out on purpose. Requests are not compared: their texts are
made of prompts, which the contract does not fix. The run's own `games` and
`prompts` are accepted and ignored: the ten kinds are the contract's.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine import MISSING, Decision, PackageRecord, Policy, Question, Trace, replay_package
from kinds import KINDS
from package import Game, Item
from strict_json import NotJson, is_integer, is_number, is_texts, parse_strict

FORMAT = "flagman.run/1"
STATUSES = ("ok", "timeout", "error", "refused", "truncated")
LINE_DEPTH_MAX = 128  # a body of the greatest depth stands inside its line
ITEM_NAME = re.compile(r"[a-z_]+/(?:0|[1-9][0-9]*)")

Check = Callable[[Any], bool]


class Unusable(Exception):
    """The run cannot be replayed at all; the text names the line."""


@dataclass
class Run:
    """A recorded run; it is also the engine's source of answers."""

    policy: Policy
    packages: dict[str, Any] = field(default_factory=dict)
    calls: dict[tuple[str, str, int], Mapping[str, Any]] = field(default_factory=dict)
    rebuilds: dict[tuple[str, str, int], Any] = field(default_factory=dict)

    def reply(self, question: Question, call: int) -> Mapping[str, Any] | None:
        return self.calls.get((question.package, question.step, call))

    def rebuild(self, package: str, game: Game, item: Item, revision: int) -> Any:
        return self.rebuilds.get((package, f"{game.kind.name}/{item.ordinal}", revision), MISSING)


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("replay_oracle: usage: replay_oracle.py RUN.jsonl", file=sys.stderr)
        return 2
    try:
        run = parse_run(_read(Path(arguments[0])))
    except Unusable as trouble:
        print(f"replay_oracle: unusable run: {trouble}", file=sys.stderr)
        return 2
    trace = Trace()
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    for record in replay(run, trace):
        sys.stdout.writelines(line + "\n" for line in lines_of(record))
    for step in trace.not_recorded:
        print(f"replay_oracle: not recorded: {step}", file=sys.stderr)
    return 3 if trace.not_recorded else 0


def replay(run: Run, trace: Trace) -> Iterator[PackageRecord]:
    for name, body in run.packages.items():
        yield replay_package(name, body, run.policy, run, trace)


def lines_of(record: PackageRecord) -> Iterator[str]:
    """§7: a line an item, then the package's."""
    for item in record.items:
        history = [_decision(entry) for entry in item.history]
        head = {"package": record.package, "item": item.name}
        yield _line(head | _decision(item.final) | {"history": history})
    yield _line(
        {"package": record.package, "outcome": record.outcome, "reasons": list(record.reasons)}
    )


def parse_run(text: str) -> Run:
    """§6: the run, or Unusable."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    entries = [_parse_line(number, line) for number, line in enumerate(lines, start=1)]
    _check_frame([entry["type"] for entry in entries])
    run = Run(parse_policy(entries[0].get("policy", {})))
    for number, entry in enumerate(entries[1:-1], start=2):
        _take(run, number, entry)
    return run


def parse_policy(policy: Mapping[str, Any]) -> Policy:
    """§6: unknown and ill-typed policy fields make the run unusable."""
    _check_fields("line 1: policy", policy, POLICY_FIELDS, ())
    authority = policy.get("authority", {})
    _check_fields("line 1: policy: authority", authority, AUTHORITY_FIELDS, ())
    defaults = Policy()
    return Policy(
        tuple(policy.get("solvers", defaults.solvers)),
        policy.get("arbiter_orders", defaults.arbiter_orders),
        policy.get("max_rounds", defaults.max_rounds),
        policy.get("gap_max", defaults.gap_max),
        policy.get("sheet_max", defaults.sheet_max),
        authority.get("short_answers", defaults.short_answers),
        policy.get("after_last_round", defaults.after_last_round),
    )


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as trouble:
        raise Unusable(str(trouble)) from None


def _parse_line(number: int, line: str) -> dict[str, Any]:
    try:
        entry = parse_strict(line, LINE_DEPTH_MAX)
    except NotJson as trouble:
        raise Unusable(f"line {number}: {trouble}") from None
    if not isinstance(entry, dict) or not isinstance(entry.get("type"), str):
        raise Unusable(f"line {number}: no object with a type")
    if entry["type"] not in LINE_FIELDS:
        raise Unusable(f"line {number}: unknown type")
    fields, required = LINE_FIELDS[entry["type"]]
    _check_fields(f"line {number}", entry, fields | {"type": _is_text}, required)
    return entry


def _check_frame(types: list[str]) -> None:
    if not types or types[0] != "run":
        raise Unusable("line 1: not a run")
    if types[-1] != "end":
        raise Unusable(f"line {len(types)}: cut off before its end")
    if "run" in types[1:] or "end" in types[:-1]:
        raise Unusable("a second beginning or end")


def _take(run: Run, number: int, entry: Mapping[str, Any]) -> None:
    match entry["type"]:
        case "package":
            _put(number, run.packages, entry["package"], entry["body"])
        case "call":
            place = (entry["package"], entry["step"], entry["call"])
            _put(number, run.calls, place, entry["response"])
        case "rebuild":
            place = (entry["package"], entry["item"], entry["revision"])
            _put(number, run.rebuilds, place, entry["data"])


def _put(number: int, entries: dict[Any, Any], place: Any, value: Any) -> None:
    if place in entries:
        raise Unusable(f"line {number}: {place} stands twice")
    entries[place] = value


def _check_fields(
    where: str, entry: Mapping[str, Any], fields: Mapping[str, Check], required: tuple[str, ...]
) -> None:
    for name in required:
        if name not in entry:
            raise Unusable(f"{where}: {name} is missing")
    for name, value in entry.items():
        if name not in fields:
            raise Unusable(f"{where}: unknown field {name!r}")
        if not fields[name](value):
            raise Unusable(f"{where}: {name}: not what it should be")


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _is_whatever(_value: Any) -> bool:
    return True


def _at_least(least: int) -> Check:
    return lambda value: is_integer(value) and value >= least


def _one_of(*choices: str) -> Check:
    return lambda value: value in choices


def _are_solvers(value: Any) -> bool:
    return is_texts(value) and len(value) >= 2 and len(set(value)) == len(value) and all(value)


def _is_dictionary(value: Any) -> bool:
    return isinstance(value, bool) or (is_texts(value) and set(value) <= set(KINDS))


def _is_response(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and value.get("status") in STATUSES
        and set(value) <= {"status", "http", "body"}
        and (value.get("http") is None or is_integer(value["http"]))
        and (value.get("body") is None or isinstance(value["body"], str))
    )


def _is_item_name(value: Any) -> bool:
    return isinstance(value, str) and ITEM_NAME.fullmatch(value) is not None


POLICY_FIELDS: dict[str, Check] = {
    "solvers": _are_solvers,
    "arbiter_orders": _one_of("both", "single"),
    "max_rounds": _at_least(1),
    "gap_max": _at_least(0),
    "sheet_max": _at_least(1),
    "authority": _is_object,
    "near_duplicate": is_number,
    "after_last_round": _one_of("reject", "review"),
}
AUTHORITY_FIELDS: dict[str, Check] = {
    "short_answers": lambda value: isinstance(value, bool),
    "dictionary": _is_dictionary,
}
LINE_FIELDS: dict[str, tuple[dict[str, Check], tuple[str, ...]]] = {
    "run": (
        {
            "format": _one_of(FORMAT),
            "flagman": _is_text,
            "started_at": _is_text,
            "policy": _is_object,
            "games": _is_object,
            "prompts": _is_object,
        },
        ("format",),
    ),
    "package": (
        {"package": _is_text, "body": lambda value: isinstance(value, (dict, str))},
        ("package", "body"),
    ),
    "call": (
        {
            "package": _is_text,
            "step": _is_text,
            "call": _at_least(1),
            "response": _is_response,
            "request": _is_object,
            "request_sha256": _is_text,
            "model": _is_text,
            "usage": _is_whatever,
            "latency_ms": is_number,
            "at": _is_text,
        },
        ("package", "step", "call", "response"),
    ),
    "rebuild": (
        {
            "package": _is_text,
            "item": _is_item_name,
            "revision": _at_least(1),
            "data": _is_whatever,
        },
        ("package", "item", "revision", "data"),
    ),
    "decision": (
        {
            "package": _is_text,
            "item": _is_item_name,
            "revision": _at_least(1),
            "outcome": _is_text,
            "reasons": is_texts,
            "key": _is_whatever,
            "route": lambda value: value is None or isinstance(value, str),
        },
        ("package", "item", "revision", "outcome", "reasons", "key"),
    ),
    "end": ({}, ()),
}


def _decision(decision: Decision) -> dict[str, Any]:
    return {
        "revision": decision.revision,
        "outcome": decision.outcome,
        "route": decision.route,
        "reasons": list(decision.reasons),
        "key": decision.key,
    }


def _line(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
