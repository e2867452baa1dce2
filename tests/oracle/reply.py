"""May a model's reply be read, and what does it say (CONTRACTS §3, §4)?

A reply is read whole or refused whole, with one reason; nothing is repaired.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from package import Game, Item
from strict_json import NotJson, is_integer, is_texts, parse_strict
from texts import tidy

RELATIONS = ("expansion", "other")
FENCE = "```"


class Refused(Exception):
    """The reply cannot be used; `reason` is one of §3's."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class Ballot:
    ok: bool
    answer: str | tuple[str, ...] | None
    relation: str | None


@dataclass(frozen=True)
class Ruling:
    choice: str | None
    why: str


def reply_came(response: Mapping[str, Any]) -> bool:
    """Where no reply came there is nothing to refuse: the model is out of reach."""
    return response["status"] in ("ok", "refused", "truncated")


def read_ballots(response: Mapping[str, Any], game: Game, sheet: Sequence[int]) -> dict[int, Ballot]:
    """The ballots about the sheet's items; raises Refused with the reason that counts first."""
    reply = _read_object(response)
    answers = reply.get("answers")
    if set(reply) != {"answers"} or not isinstance(answers, list):
        raise Refused("wrong_shape")
    if not all(_is_answer(game, answer) for answer in answers):
        raise Refused("wrong_shape")
    ordinals = [answer["i"] for answer in answers]
    if any(not 0 <= ordinal < len(game.items) for ordinal in ordinals):
        raise Refused("unknown_index")
    if len(set(ordinals)) < len(ordinals):
        raise Refused("duplicate_index")
    if not all(_echoes(game, answer) for answer in answers):
        raise Refused("echo_mismatch")
    if not set(sheet) <= set(ordinals):
        raise Refused("incomplete")
    asked = [answer for answer in answers if answer["i"] in sheet]
    if not all(_in_domain(game, game.items[answer["i"]], answer) for answer in asked):
        raise Refused("outside_domain")
    return {answer["i"]: _ballot(answer) for answer in asked}


def read_ruling(
    response: Mapping[str, Any], game: Game, ordinal: int, candidates: Sequence[str]
) -> Ruling:
    """The arbiter's choice and explanation about one item; raises Refused."""
    reply = _read_object(response)
    if set(reply) != {"i", "w", "why", "choice"} or not _is_ruling(reply):
        raise Refused("wrong_shape")
    if reply["i"] != ordinal:
        raise Refused("unknown_index")
    if not _echoes(game, reply):
        raise Refused("echo_mismatch")
    choice = reply["choice"]
    if choice is not None and tidy(choice) not in map(tidy, candidates):
        raise Refused("outside_domain")
    return Ruling(choice, reply["why"])


def _read_object(response: Mapping[str, Any]) -> dict[str, Any]:
    if response["status"] == "truncated":
        raise Refused("truncated")
    if response["status"] == "refused":
        raise Refused("refusal")
    body = (response.get("body") or "").removeprefix("\ufeff")
    if not body.strip():
        raise Refused("empty")
    try:
        value = parse_strict(_without_fence(body))
    except NotJson:
        raise Refused("not_json") from None
    if not isinstance(value, dict):
        raise Refused("wrong_shape")
    return value


def _without_fence(body: str) -> str:
    """What stands in the one Markdown fence, or the whole body where there is none."""
    lines = body.split("\n")
    fences = [at for at, line in enumerate(lines) if line.startswith(FENCE)]
    if not fences:
        return body
    if len(fences) != 2:
        raise Refused("not_json")
    opening, closing = fences
    outside = lines[: opening + 1] + lines[closing:]
    if any("{" in line for line in outside):
        raise Refused("not_json")
    return "\n".join(lines[opening + 1 : closing])


def _is_answer(game: Game, answer: Any) -> bool:
    wanted = {"i", "w", "ok", "why"}
    if game.kind.form != "none":
        wanted.add("answer")
    if game.kind.is_pair:
        wanted.add("relation")
    if not isinstance(answer, dict) or set(answer) != wanted:
        return False
    given = answer.get("answer", "")
    return (
        is_integer(answer["i"])
        and isinstance(answer["w"], str)
        and isinstance(answer["ok"], bool)
        and isinstance(answer["why"], str)
        and isinstance(answer.get("relation", ""), str)
        and (is_texts(given) if game.kind.form == "steps" else isinstance(given, str))
    )


def _is_ruling(reply: Mapping[str, Any]) -> bool:
    return (
        is_integer(reply["i"])
        and isinstance(reply["w"], str)
        and isinstance(reply["why"], str)
        and (reply["choice"] is None or isinstance(reply["choice"], str))
    )


def _echoes(game: Game, answer: Mapping[str, Any]) -> bool:
    wanted = game.echo_of(answer["i"])
    return wanted is not None and tidy(answer["w"]) == tidy(wanted)


def _in_domain(game: Game, item: Item, answer: Mapping[str, Any]) -> bool:
    if game.kind.is_pair and answer["relation"] not in RELATIONS:
        return False
    form, given = game.kind.form, answer.get("answer")
    if form == "none":
        return True
    if form == "short":
        return tidy(given) != ""
    if form == "steps":
        return sorted(map(tidy, given)) == sorted(map(tidy, item.choices))
    return tidy(given) in map(tidy, _domain(game, item))


def _domain(game: Game, item: Item) -> Sequence[str]:
    if game.kind.form == "label":
        return game.labels
    return game.partners() if game.kind.is_pair else item.choices


def _ballot(answer: Mapping[str, Any]) -> Ballot:
    given = answer.get("answer")
    return Ballot(
        answer["ok"], tuple(given) if isinstance(given, list) else given, answer.get("relation")
    )
