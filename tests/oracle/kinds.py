"""Game kinds as data: `config/games.json` (CONTRACTS §1) read into what the oracle asks of a kind."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

GAMES_FILE = Path(__file__).resolve().parents[2] / "config" / "games.json"
FORMS = {
    "option": "choice", "label": "label", "partner": "partner", "soundness": "none", "short_text": "short",
    "sequence": "steps",
}


@dataclass(frozen=True)
class Kind:
    """Where the parts of an item lie (§1, the table of kinds) and how big they may be."""

    name: str
    form: str  # what an answer is: choice, label, partner, none, short, steps
    echo: str = "text"
    text: str | None = None
    key: str | None = None
    choices: str | None = None
    choices_min: int = 0
    choices_max: int = 0
    choice_characters_min: int = 0
    choice_characters_max: int = 500
    labels: tuple[str, ...] = ()
    labels_field: str | None = None
    labels_min: int = 0
    labels_max: int = 0
    fillings: Mapping[str, str] = field(default_factory=dict)  # of the labels, by default
    optional: tuple[str, ...] = ()
    accept: str | None = None
    line_break_in: frozenset[str] = frozenset()
    shared: Mapping[str, bool] = field(default_factory=dict)  # texts of the game; line breaks allowed?
    gap_also: str = ""
    items_min: int = 1
    items_max: int = 200
    text_min: int = 0
    text_max: int = 500
    required: tuple[str, ...] = ()
    known: frozenset[str] = frozenset()
    # (field, line break allowed) of each field that holds one text, in their order.
    text_fields: tuple[tuple[str, bool], ...] = ()

    @property
    def is_pair(self) -> bool:
        return self.form == "partner"

    @property
    def echoes_choices(self) -> bool:
        return self.echo == "options"


def read_kinds(games: Mapping[str, Any]) -> dict[str, Kind]:
    limits = games.get("limits", {})
    return {name: _read_kind(name, raw, {**limits, **raw}) for name, raw in games["kinds"].items()}


def load_kinds(path: Path = GAMES_FILE) -> dict[str, Kind]:
    return read_kinds(json.loads(path.read_text(encoding="utf-8")))


def _read_kind(name: str, raw: Mapping[str, Any], sizes: Mapping[str, Any]) -> Kind:
    form = FORMS[raw["answer"]]
    places = raw["item"] if isinstance(raw["item"], dict) else {}
    text, key, accept = places.get("text", places.get("optional_text")), places.get("key"), places.get("accept")
    choices = key if form == "steps" else places.get("options")
    optional = [*places.get("optional", ())]
    optional += [field for field in (accept, places.get("optional_text")) if field]
    breaks = frozenset(raw.get("line_break_in", ()))
    options, labels, shared = raw.get("options", {}), raw.get("labels", {}), raw.get("shared", {})
    required = [field for field in dict.fromkeys((text, choices, key)) if field and field not in optional]
    single = [text, *(field for field in optional if field not in (accept, text))]
    single += [key] if form in ("partner", "short") else []
    gap_also = raw.get("gap_also", ())
    return Kind(
        name, form, raw.get("echo", "text"), text, key, choices,
        choices_min=options.get("min", 0), choices_max=options.get("max", 0),
        choice_characters_min=options.get("characters_min", 0),
        choice_characters_max=options.get("characters_max", sizes["text_characters_max"]),
        labels=tuple(labels.get("fixed", ())), labels_field=labels.get("field"),
        labels_min=labels.get("min", 0), labels_max=labels.get("max", 0), fillings=labels.get("fillings", {}),
        optional=tuple(optional), accept=accept, line_break_in=breaks,
        shared={field: of.get("line_break", False) for field, of in shared.items()},
        gap_also="".join({"hyphen": "-", "space": " "}.get(sign, sign) for sign in (
            [gap_also] if isinstance(gap_also, str) and gap_also in ("hyphen", "space") else gap_also)),
        items_min=sizes.get("items", {}).get("min", sizes.get("items_min", 1)),
        items_max=sizes.get("items", {}).get("max", sizes.get("items_max", 200)),
        text_min=sizes.get("text_characters_min", 0), text_max=sizes["text_characters_max"],
        required=tuple(required), known=frozenset((*required, *optional)),
        text_fields=tuple((field, field in breaks) for field in single if field),
    )


KINDS: dict[str, Kind] = load_kinds()
