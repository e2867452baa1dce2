"""Strict JSON for everything that comes from outside (CONTRACTS §3, §5, §6).

`json.loads` alone would let duplicate names, NaN, Infinity and half an emoji
through; each of them makes two readers see two different documents.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

DEPTH_MAX = 64
# A text can only hold half a pair where it was escaped, or where a caller decoded it so.
_SURROGATE = re.compile(r"\\[uU][dD][89a-fA-F]|[\ud800-\udfff]")


class NotJson(ValueError):
    """The text is not exactly one strict JSON value."""


def parse_strict(text: str, depth_max: int | None = DEPTH_MAX) -> Any:
    """One JSON value and nothing else; raises NotJson."""
    try:
        value = json.loads(
            text, object_pairs_hook=_unique_names, parse_constant=_no_constant, parse_float=_finite
        )
    except (ValueError, RecursionError) as trouble:
        raise NotJson(str(trouble)) from None
    if depth_max is not None and depth_of(value) > depth_max:
        raise NotJson("too deep")
    if _SURROGATE.search(text):
        _check_texts(value)
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
    depth, level = 0, [value] if isinstance(value, (dict, list)) else []
    while level:
        depth += 1
        entries = (entry for of in level for entry in (of.values() if isinstance(of, dict) else of))
        level = [entry for entry in entries if isinstance(entry, (dict, list))]
    return depth


def _unique_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = dict(pairs)
    if len(names) != len(pairs):
        raise ValueError("duplicate name")
    return names


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _finite(number: str) -> float:
    value = float(number)
    if math.isinf(value):
        raise ValueError(f"{number} is beyond a double")
    return value


def _check_texts(value: Any) -> None:
    # The parser joins the halves of a pair, so what is left stands alone.
    if isinstance(value, str):
        if any("\ud800" <= sign <= "\udfff" for sign in value):
            raise NotJson("lone surrogate")
    elif isinstance(value, dict):
        for name, entry in value.items():
            _check_texts(name)
            _check_texts(entry)
    elif isinstance(value, list):
        for entry in value:
            _check_texts(entry)
