"""Packages, games and items, and what their structure alone says (CONTRACTS §1, §5).

The dictionary's codes are not here, nor is `catalogue_duplicate`: both ask what no package holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import texts
from almost import almost_expands
from giveaway import label_tells, options_tell, question_tells, steps_tell
from kinds import KINDS, Kind
from near_duplicates import THRESHOLD, Candidate, near_duplicates
from relations import Compared, relation_codes
from strict_json import DEPTH_MAX, NotJson, depth_of, is_integer, is_texts, parse_strict
from text_checks import has_known_characters, is_longer, text_faults

Identity = tuple[str, tuple[str, ...]]  # folded: its own text; its choices, sorted

FORMAT = "flagman.package/1"
GAP_MAX = 6  # unless the policy says otherwise
HEAD_MAX = 500
OPTIONAL_HEAD = {"id": str, "topic": str, "subject": str, "grade": int, "language": str, "teacher": str}


@dataclass(slots=True)
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
    fillings: Any
    gap_max: int = GAP_MAX
    items: list[Item] = field(default_factory=list)  # the current revision of each

    def echo_of(self, ordinal: int) -> str | None:
        """§1: the text that a ballot about this item repeats."""
        return self.echoes()[ordinal]

    def echoes(self) -> list[str | None]:
        kind = self.kind
        if kind.echoes_choices:
            return [_own_text(kind, item) or None for item in self.items]
        if kind.echo == "text":
            return [item.text for item in self.items]
        uses = Counter(texts.tidy(item.text) for item in self.items if item.text is not None)
        return [
            " | ".join((item.text, *item.choices))
            if item.text is not None and uses[texts.tidy(item.text)] > 1
            else item.text
            for item in self.items
        ]

    def label_fillings(self) -> Mapping[str, str]:
        return self.fillings if isinstance(self.fillings, dict) else self.kind.fillings

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


@dataclass(frozen=True)
class Package:
    games: dict[str, Game]


@dataclass(frozen=True)
class Rejected:
    reasons: tuple[str, ...]


def parse_package(body: Any, gap_max: int = GAP_MAX) -> Package | Rejected:
    """§5: a package, or the faults of the whole document; `body` as a run has it."""
    document = body
    if isinstance(body, str):
        try:
            document = parse_strict(body.removeprefix("\ufeff"))
        except NotJson:
            return Rejected(("bad_json",))
    elif depth_of(body) > DEPTH_MAX:
        return Rejected(("bad_json",))
    return read_document(document, KINDS, gap_max)


def read_document(document: Any, kinds: Mapping[str, Kind], gap_max: int = GAP_MAX) -> Package | Rejected:
    if not isinstance(document, dict):
        return Rejected(("wrong_type",))
    faults = [*_head_faults(document), *_game_faults(document.get("games"), kinds)]
    if faults:
        return Rejected(_unique(faults))
    return Package({name: _read_game(kinds[name], raw, gap_max) for name, raw in document["games"].items()})


def read_item(game: Game, raw: Any, ordinal: int, revision: int) -> Item:
    """§1, §5: one item with the faults of its own."""
    kind = game.kind
    if kind.form == "none" and kind.text is None:
        faults = text_faults(raw, kind.text_min, kind.text_max, False) if isinstance(raw, str) else ("wrong_type",)
        text = raw if isinstance(raw, str) else None
        item = Item(ordinal, revision, raw, None, text, faults=_unique(faults))
        if text is not None and game.fillings is not None and not texts.has_gap(text):
            item.faults += ("gap_missing",)
    elif isinstance(raw, dict):
        item = _read_fields(game, raw, ordinal, revision)
    else:
        item = Item(ordinal, revision, raw, None, faults=("wrong_type",))
    return item


def comparison_faults(game: Game, open_ordinals: Iterable[int]) -> dict[int, tuple[str, ...]]:
    """§5: what the open items do wrong beside the others of their game.

    Items with a fault of their own are compared with nothing.
    """
    wanted = set(open_ordinals)
    compared = [
        Compared(
            item.ordinal, identity, _folded_key(item), item.ordinal in wanted,
            (texts.tidy(item.text or ""), texts.tidy(str(item.author))) if game.kind.is_pair else None,
        )
        for item, identity in well_formed(game)
    ]
    return relation_codes(compared, game.gap_max, game.kind.gap_also)


def near_duplicate_items(package: Package, threshold: float = THRESHOLD) -> list[tuple[str, int]]:
    """§5: items that resemble one before them; worth a look, no fault."""
    candidates = [
        Candidate(
            name, item.ordinal, identity[0],
            frozenset() if game.kind.echoes_choices else frozenset(identity[1]), identity,
        )
        for name, game in package.games.items()
        for item, identity in well_formed(game)
    ]
    return [(one.game, one.ordinal) for one, _ in near_duplicates(candidates, threshold)]


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
            faults += _head_text_faults(value) if good else ["wrong_type"]
    if "games" not in document:
        faults.append("missing_field")
    elif not isinstance(document["games"], dict):
        faults.append("wrong_type")
    elif not document["games"]:
        faults.append("too_few")
    return faults


def _head_text_faults(value: Any) -> list[str]:
    """Nobody plays with these texts, but they are shown and stored."""
    if not isinstance(value, str):
        return []
    faults = ["too_long"] if is_longer(value, HEAD_MAX) else []
    return faults if has_known_characters(value, False) else [*faults, "forbidden_character"]


def _game_faults(games: Any, kinds: Mapping[str, Kind]) -> list[str]:
    faults: list[str] = []
    for name, raw in games.items() if isinstance(games, dict) else ():
        if name not in kinds:
            faults.append("unknown_field")
        elif not isinstance(raw, dict):
            faults.append("wrong_type")
        else:
            faults += _shared_faults(kinds[name], raw)
    return faults


def _shared_faults(kind: Kind, raw: Mapping[str, Any]) -> list[str]:
    faults = _list_faults(raw, "data", kind.items_min, kind.items_max)
    if kind.labels_field is not None:
        faults += _list_faults(raw, kind.labels_field, kind.labels_min, kind.labels_max)
        if isinstance(raw.get(kind.labels_field), list):
            faults += _choice_faults(raw[kind.labels_field], kind.text_min, kind.text_max)
    for name, line_break_allowed in kind.shared.items():
        if name in raw:
            faults += _field_faults(kind, raw[name], line_break_allowed)
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


def _read_game(kind: Kind, raw: Mapping[str, Any], gap_max: int) -> Game:
    labels = tuple(raw[kind.labels_field]) if kind.labels_field is not None else kind.labels
    game = Game(kind, labels, raw.get("fillings"), gap_max)
    game.items = [read_item(game, entry, ordinal, 1) for ordinal, entry in enumerate(raw["data"])]
    return game


def _read_fields(game: Game, raw: dict[str, Any], ordinal: int, revision: int) -> Item:
    kind = game.kind
    faults: list[str] = []
    if raw.keys() != kind.known:
        faults += ["unknown_field" for name in raw if name not in kind.known]
        faults += ["missing_field" for name in kind.required if name not in raw]
    for name, line_break_allowed in kind.text_fields:
        if name in raw:
            if name == "asks":
                faults += _asks_faults(kind, raw[name])
            else:
                faults += _field_faults(kind, raw[name], line_break_allowed)
    if kind.accept in raw:
        faults += _entries_faults(kind, raw[kind.accept])
    if kind.choices in raw:
        faults += _choices_faults(kind, raw[kind.choices])
    faults += _key_faults(game, raw)
    faults += _gap_faults(game, raw)
    text = raw.get(kind.text)
    item = Item(
        ordinal,
        revision,
        raw,
        raw.get(kind.key),
        text if isinstance(text, str) else None,
        _texts_of(raw, kind.choices),
        _author_answer(game, raw),
        _texts_of(raw, kind.accept),
        _unique(faults) if faults else (),
    )
    # What an item tells, only a sound item tells.
    if not item.faults and _gives_away(game, item):
        item.faults = ("giveaway",)
    if not item.faults and kind.is_pair and almost_expands(text, item.key, game.gap_max, kind.gap_also):
        item.faults = ("pair_almost_expands",)
    return item


def _gives_away(game: Game, item: Item) -> bool:
    match game.kind.form:
        case "choice":
            return options_tell(item.text, item.choices, item.key)
        case "label":
            chosen = not game.kind.labels
            return label_tells(item.text, item.key, game.labels, game.label_fillings(), chosen=chosen)
        case "short":
            return any(question_tells(item.text, form) for form in (item.key, *item.accept))
        case "steps":
            return steps_tell(item.choices)
        case _:
            return False


def _texts_of(raw: Mapping[str, Any], name: str | None) -> tuple[str, ...]:
    return tuple(raw[name]) if name in raw and is_texts(raw[name]) else ()


def _field_faults(kind: Kind, value: Any, line_break_allowed: bool) -> Sequence[str]:
    if not isinstance(value, str):
        return ("wrong_type",)
    return text_faults(value, kind.text_min, kind.text_max, line_break_allowed)


def _asks_faults(kind: Kind, value: Any) -> Sequence[str]:
    """A filling is letters for code, no text that anybody reads."""
    if not isinstance(value, str):
        return ("wrong_type",)
    return text_faults(value, 0, kind.text_max, False, shown=False)


def _entries_faults(kind: Kind, entries: Any) -> Sequence[str]:
    if not isinstance(entries, list):
        return ("wrong_type",)
    return [fault for entry in entries for fault in _field_faults(kind, entry, False)]


def _choices_faults(kind: Kind, entries: Any) -> list[str]:
    if not isinstance(entries, list):
        return ["wrong_type"]
    counted = _count_faults(entries, kind.choices_min, kind.choices_max)
    return counted + _choice_faults(entries, kind.choice_characters_min, kind.choice_characters_max)


def _choice_faults(entries: Sequence[Any], least: int, most: int) -> list[str]:
    if not is_texts(entries):
        return ["wrong_type"]
    faults = [fault for entry in entries for fault in text_faults(entry, least, most, False)]
    if len(set(map(texts.fold, entries))) < len(entries):
        faults.append("duplicate_option")
    return faults


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


def well_formed(game: Game) -> list[tuple[Item, Identity]]:
    """The items without a fault of their own, each with what makes it the item it is.

    Where a question is repeated, its echo has the options behind it, in the author's order; that order
    makes no other item of it.
    """
    return [
        (item, (texts.fold(_own_text(game.kind, item)), tuple(sorted(map(texts.fold, item.choices)))))
        for item in game.items
        if not item.faults
    ]


def _own_text(kind: Kind, item: Item) -> str:
    return "; ".join(item.choices) if kind.echoes_choices else item.text or ""


def _folded_key(item: Item) -> str | tuple[str, ...] | None:
    if isinstance(item.author, tuple):
        return tuple(map(texts.fold, item.author))
    return None if item.author is None else texts.fold(item.author)


def _among(text: str, choices: Iterable[str]) -> bool:
    return texts.tidy(text) in map(texts.tidy, choices)


def _unique(codes: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(codes))
