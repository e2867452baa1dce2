"""Packages, games and items, and what their structure alone says (CONTRACTS §1, §5).

Only the structural validators are here. The ones that judge by likeness or by
a dictionary (`mixed_alphabet`, `markup`, `giveaway`, `placeholder`,
`near_duplicate_item`, `pair_almost_expands`, the dictionary's) are not: inputs
for this oracle never give them a reason to speak.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import texts
from strict_json import DEPTH_MAX, NotJson, depth_of, is_integer, is_texts, parse_strict

FORMAT = "flagman.package/1"
TEXT_MAX, OPTION_MAX, ITEMS_MAX = 500, 120, 200
BASKETS_MIN, BASKETS_MAX = 2, 5
OPTIONAL_HEAD = {"id": str, "topic": str, "subject": str, "grade": int, "language": str, "teacher": str}


@dataclass(frozen=True)
class Kind:
    """Where the parts of an item lie (§1, the table of kinds)."""

    name: str
    form: str  # what an answer is: choice, label, partner, none, short, steps
    text: str | None = None
    key: str | None = None
    choices: str | None = None
    choices_min: int = 0
    choices_max: int = 0
    choice_characters_max: int = TEXT_MAX
    labels: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    line_break_in: tuple[str, ...] = ()

    @property
    def is_pair(self) -> bool:
        return self.form == "partner"

    @property
    def required(self) -> list[str]:
        names = [self.text, self.choices, self.key]
        return [name for name in dict.fromkeys(names) if name and name not in self.optional]


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("quiz", "choice", "q", "key", "options", 2, 6, OPTION_MAX,
             optional=("asks",), line_break_in=("q",)),
        Kind("sort", "label", "w", "key"),
        Kind("lie_detector", "label", "s", "key", labels=("truth", "lie"), line_break_in=("s",)),
        Kind("spotlight", "label", "w", "key", labels=("catch", "skip")),
        Kind("pairs", "partner", "left", "right"),
        Kind("memory", "partner", "a", "b"),
        Kind("wheel", "none"),
        Kind("gap", "short", "q", "key", optional=("accept",), line_break_in=("q",)),
        Kind("order", "steps", "q", "steps", "steps", 2, 10, line_break_in=("q",)),
        Kind("odd_one_out", "choice", "q", "key", "words", 3, 8,
             optional=("q",), line_break_in=("q",)),
    )
}


@dataclass(frozen=True)
class Item:
    """One revision of one item, as far as it could be read."""

    ordinal: int
    revision: int
    raw: Any
    key: Any  # as the package has it, whatever it is; None for the wheel
    text: str | None = None
    choices: tuple[str, ...] = ()
    author: str | tuple[str, ...] | None = None  # the answer that the key stands for
    accept: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


@dataclass
class Game:
    kind: Kind
    labels: tuple[str, ...]
    rule: str | None
    fillings: Any
    items: list[Item] = field(default_factory=list)  # the current revision of each

    def echo_of(self, ordinal: int) -> str | None:
        """§1: the text that a ballot about this item repeats."""
        item = self.items[ordinal]
        if self.kind.name == "odd_one_out":
            return "; ".join(item.choices) if item.choices else None
        if self.kind.name == "quiz" and item.text is not None and self._is_repeated(item):
            return " | ".join((item.text, *item.choices))
        return item.text

    def partners(self) -> list[str]:
        return [item.key for item in self.items if isinstance(item.key, str)]

    def filling_of(self, item: Item, candidate: str) -> list[str]:
        """§4: the words that a candidate's filling gives in this item."""
        if self.kind.form == "label" and isinstance(self.fillings, dict):
            for label, filling in self.fillings.items():
                if texts.tidy(label) == texts.tidy(candidate):
                    return texts.filled_words(item.text or "", filling)
        if self.kind.name == "quiz" and isinstance(self.fillings, list):
            # `asks` says only what the right option stands for.
            asks = item.raw.get("asks")
            if asks is not None and texts.tidy(candidate) == texts.tidy(str(item.author)):
                return texts.filled_words(candidate, asks)
        return []

    def _is_repeated(self, item: Item) -> bool:
        text = texts.tidy(item.text or "")
        return any(
            other.ordinal != item.ordinal and other.text is not None and texts.tidy(other.text) == text
            for other in self.items
        )


@dataclass(frozen=True)
class Package:
    games: dict[str, Game]


@dataclass(frozen=True)
class Rejected:
    reasons: tuple[str, ...]


def parse_package(body: Any) -> Package | Rejected:
    """§5: a package, or the faults of the whole document; `body` as a run has it."""
    document = body
    if isinstance(body, str):
        try:
            document = parse_strict(body.removeprefix("\ufeff"))
        except NotJson:
            return Rejected(("bad_json",))
    elif depth_of(body) > DEPTH_MAX:
        return Rejected(("bad_json",))
    if not isinstance(document, dict):
        return Rejected(("wrong_type",))
    faults = [*_head_faults(document), *_game_faults(document.get("games"))]
    if faults:
        return Rejected(_unique(faults))
    return Package({name: _read_game(KINDS[name], raw) for name, raw in document["games"].items()})


def read_item(game: Game, raw: Any, ordinal: int, revision: int) -> Item:
    """§1, §5: one item with the faults of its own."""
    kind = game.kind
    if kind.form == "none":
        faults = _text_faults(raw, TEXT_MAX, False) if isinstance(raw, str) else ["wrong_type"]
        text = raw if isinstance(raw, str) else None
        item = Item(ordinal, revision, raw, None, text, faults=_unique(faults))
    elif isinstance(raw, dict):
        item = _read_fields(game, raw, ordinal, revision)
    else:
        item = Item(ordinal, revision, raw, None, faults=("wrong_type",))
    return item


def comparison_faults(game: Game, open_ordinals: Iterable[int]) -> dict[int, tuple[str, ...]]:
    """§5: what the open items do wrong beside the others of their game.

    Items with a fault of their own are compared with nothing.
    """
    sound = [item for item in game.items if not item.faults]
    wanted = set(open_ordinals)
    found: dict[int, list[str]] = {}
    for item in (item for item in sound if item.ordinal in wanted):
        codes = [code for other in sound if (code := _against(game, item, other, wanted))]
        if codes:
            found[item.ordinal] = codes
    return {ordinal: _unique(codes) for ordinal, codes in found.items()}


def _head_faults(document: Mapping[str, Any]) -> list[str]:
    faults = []
    if "format" not in document:
        faults.append("missing_field")
    elif not isinstance(document["format"], str):
        faults.append("wrong_type")
    elif document["format"] != FORMAT:
        faults.append("wrong_format")
    for name, wanted in OPTIONAL_HEAD.items():
        if name in document:
            value = document[name]
            good = is_integer(value) if wanted is int else isinstance(value, wanted)
            faults += [] if good else ["wrong_type"]
    if "games" not in document:
        faults.append("missing_field")
    elif not isinstance(document["games"], dict):
        faults.append("wrong_type")
    elif not document["games"]:
        faults.append("too_few")
    return faults


def _game_faults(games: Any) -> list[str]:
    faults: list[str] = []
    for name, raw in games.items() if isinstance(games, dict) else ():
        if name not in KINDS:
            faults.append("unknown_field")
        elif not isinstance(raw, dict):
            faults.append("wrong_type")
        else:
            faults += _shared_faults(KINDS[name], raw)
    return faults


def _shared_faults(kind: Kind, raw: Mapping[str, Any]) -> list[str]:
    faults = _list_faults(raw, "data", 1, ITEMS_MAX)
    if kind.name == "sort":
        faults += _list_faults(raw, "baskets", BASKETS_MIN, BASKETS_MAX)
        if isinstance(raw.get("baskets"), list):
            faults += _choice_faults(raw["baskets"], TEXT_MAX)
    if kind.name == "spotlight" and "rule" in raw:
        rule = raw["rule"]
        faults += _text_faults(rule, TEXT_MAX, True) if isinstance(rule, str) else ["wrong_type"]
    return faults + _fillings_faults(raw)


def _fillings_faults(raw: Mapping[str, Any]) -> list[str]:
    fillings = raw.get("fillings", [])
    entries = list(fillings.values()) if isinstance(fillings, dict) else fillings
    return [] if is_texts(entries) else ["wrong_type"]


def _list_faults(raw: Mapping[str, Any], name: str, least: int, most: int) -> list[str]:
    if name not in raw:
        return ["missing_field"]
    if not isinstance(raw[name], list):
        return ["wrong_type"]
    return _count_faults(raw[name], least, most)


def _count_faults(entries: Sequence[Any], least: int, most: int) -> list[str]:
    if len(entries) < least:
        return ["too_few"]
    return ["too_many"] if len(entries) > most else []


def _read_game(kind: Kind, raw: Mapping[str, Any]) -> Game:
    labels = tuple(raw["baskets"]) if kind.name == "sort" else kind.labels
    game = Game(kind, labels, raw.get("rule"), raw.get("fillings"))
    game.items = [read_item(game, entry, ordinal, 1) for ordinal, entry in enumerate(raw["data"])]
    return game


def _read_fields(game: Game, raw: dict[str, Any], ordinal: int, revision: int) -> Item:
    kind = game.kind
    known = {*kind.required, *kind.optional}
    faults = ["unknown_field" for name in raw if name not in known]
    faults += ["missing_field" for name in kind.required if name not in raw]
    for name in [kind.text, *kind.optional, kind.key if kind.form in ("partner", "short") else None]:
        if name in raw and name != "accept":
            faults += _field_faults(raw[name], name in kind.line_break_in)
    if "accept" in raw:
        faults += _entries_faults(raw["accept"])
    if kind.choices in raw:
        faults += _choices_faults(kind, raw[kind.choices])
    faults += _key_faults(game, raw)
    faults += _gap_faults(game, raw)
    return Item(
        ordinal,
        revision,
        raw,
        raw.get(kind.key),
        raw[kind.text] if isinstance(raw.get(kind.text), str) else None,
        _texts_of(raw, kind.choices),
        _author_answer(game, raw),
        _texts_of(raw, "accept"),
        _unique(faults),
    )


def _texts_of(raw: Mapping[str, Any], name: str | None) -> tuple[str, ...]:
    return tuple(raw[name]) if name in raw and is_texts(raw[name]) else ()


def _field_faults(value: Any, line_break_allowed: bool) -> list[str]:
    if not isinstance(value, str):
        return ["wrong_type"]
    return _text_faults(value, TEXT_MAX, line_break_allowed)


def _text_faults(text: str, most: int, line_break_allowed: bool) -> list[str]:
    faults = []
    if texts.has_forbidden_character(text, line_break_allowed):
        faults.append("forbidden_character")
    if not texts.tidy(text):
        faults.append("empty_text")
    if texts.characters(text) > most:
        faults.append("too_long")
    return faults


def _entries_faults(entries: Any) -> list[str]:
    if not isinstance(entries, list):
        return ["wrong_type"]
    return [fault for entry in entries for fault in _field_faults(entry, False)]


def _choices_faults(kind: Kind, entries: Any) -> list[str]:
    if not isinstance(entries, list):
        return ["wrong_type"]
    counted = _count_faults(entries, kind.choices_min, kind.choices_max)
    return counted + _choice_faults(entries, kind.choice_characters_max)


def _choice_faults(entries: Sequence[Any], most: int) -> list[str]:
    if not is_texts(entries):
        return ["wrong_type"]
    faults = [fault for entry in entries for fault in _text_faults(entry, most, False)]
    folded = [texts.fold(entry) for entry in entries]
    return faults + (["duplicate_option"] if len(set(folded)) < len(folded) else [])


def _key_faults(game: Game, raw: Mapping[str, Any]) -> list[str]:
    kind = game.kind
    if kind.key not in raw or kind.form not in ("choice", "label"):
        return []
    key, choices = raw[kind.key], raw.get(kind.choices)
    if kind.form == "label":
        if not isinstance(key, str):
            return ["wrong_type"]
        return [] if _among(key, game.labels) else ["key_outside_domain"]
    if not is_integer(key):
        return ["wrong_type"]
    outside = isinstance(choices, list) and not 0 <= key < len(choices)
    return ["key_outside_domain"] if outside else []


def _gap_faults(game: Game, raw: Mapping[str, Any]) -> list[str]:
    """§5 `gap_missing`; the gaps of a quiz may stand in its options."""
    if game.fillings is None:
        return []
    places = [raw.get(game.kind.text), *_texts_of(raw, game.kind.choices)]
    shown = [place for place in places if isinstance(place, str)]
    return ["gap_missing"] if shown and not any(map(texts.has_gap, shown)) else []


def _author_answer(game: Game, raw: Mapping[str, Any]) -> str | tuple[str, ...] | None:
    kind, key = game.kind, raw.get(game.kind.key)
    choices = _texts_of(raw, kind.choices)
    if kind.form == "steps":
        return choices
    if kind.form == "choice":
        return choices[key] if is_integer(key) and 0 <= key < len(choices) else None
    return key if isinstance(key, str) else None


def _against(game: Game, item: Item, other: Item, open_ordinals: set[int]) -> str | None:
    """What an open item does wrong beside one other item."""
    if item.ordinal == other.ordinal:
        return None
    same_key = _folded_key(item) == _folded_key(other)
    if _identity(game, item) == _identity(game, other):
        if not same_key:
            return "contradictory_keys"
        # Of two open items the later one goes; beside a settled one it is the open one.
        later = item.ordinal > other.ordinal or other.ordinal not in open_ordinals
        return "duplicate_item" if later else None
    return "ambiguous_pair" if game.kind.is_pair and same_key else None


def _identity(game: Game, item: Item) -> tuple[str, tuple[str, ...]]:
    echo = texts.fold(game.echo_of(item.ordinal) or "")
    return echo, tuple(sorted(map(texts.fold, item.choices)))


def _folded_key(item: Item) -> str | tuple[str, ...] | None:
    if isinstance(item.author, tuple):
        return tuple(map(texts.fold, item.author))
    return None if item.author is None else texts.fold(item.author)


def _among(text: str, choices: Iterable[str]) -> bool:
    return texts.tidy(text) in map(texts.tidy, choices)


def _unique(codes: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(codes))
