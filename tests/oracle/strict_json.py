"""Strict JSON for everything that comes from outside (CONTRACTS §3, §5, §6).

`json.loads` alone would let duplicate names, NaN, Infinity and half an emoji
through; each of them makes two readers see two different documents.
"""

from __future__ import annotations

import json
from typing import Any

DEPTH_MAX = 64


class NotJson(ValueError):
    """The text is not exactly one strict JSON value."""


def parse_strict(text: str, depth_max: int | None = DEPTH_MAX) -> Any:
    """One JSON value and nothing else; raises NotJson."""
    try:
        value = json.loads(text, object_pairs_hook=_unique_names, parse_constant=_no_constant)
    except (ValueError, RecursionError) as trouble:
        raise NotJson(str(trouble)) from None
    _check_value(value, depth_max, 1)
    return value


def is_integer(value: Any) -> bool:
    """`3` is one; `true`, `3.0` and `1e0` are none: types are not coerced."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(entry, str) for entry in value)


def depth_of(value: Any) -> int:
    """Nested arrays and objects; a scalar has none."""
    if isinstance(value, dict):
        return 1 + max(map(depth_of, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(depth_of, value), default=0)
    return 0


def _unique_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = dict(pairs)
    if len(names) != len(pairs):
        raise ValueError("duplicate name")
    return names


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _check_value(value: Any, depth_max: int | None, depth: int) -> None:
    if isinstance(value, str):
        _check_text(value)
        return
    if not isinstance(value, (dict, list)):
        return
    if depth_max is not None and depth > depth_max:
        raise NotJson("too deep")
    if isinstance(value, dict):
        for name in value:
            _check_text(name)
    for entry in value.values() if isinstance(value, dict) else value:
        _check_value(entry, depth_max, depth + 1)


def _check_text(text: str) -> None:
    # The parser joins the halves of a pair, so what is left stands alone.
    if any("\ud800" <= sign <= "\udfff" for sign in text):
        raise NotJson("lone surrogate")
