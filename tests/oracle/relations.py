"""What items do wrong beside others of their game: duplicates and rival pairs (CONTRACTS §1, §5)."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass

from texts import GAP, expands

CODES = ("duplicate_item", "ambiguous_pair", "contradictory_keys")


@dataclass(slots=True)
class Compared:
    """A well-formed item as it is compared: all by `fold`, the sides of a pair by `tidy` too."""

    ordinal: int
    identity: Hashable
    key: Hashable
    is_open: bool
    sides: tuple[str, str] | None = None


def relation_codes(items: Sequence[Compared], gap_max: int, gap_also: str = "") -> dict[int, tuple[str, ...]]:
    """The codes of every open item that has one, in the order of CODES."""
    found: defaultdict[int, set[str]] = defaultdict(set)
    for same in _groups(items, lambda item: item.identity):
        _compare_same(same, found)
    if items and items[0].sides is not None:
        for rivals in (*_groups(items, lambda item: item.key), *_mutual_expansions(items, gap_max, gap_also)):
            for item in rivals:
                if item.is_open and any(other.identity != item.identity for other in rivals):
                    found[item.ordinal].add("ambiguous_pair")
    return {ordinal: tuple(code for code in CODES if code in codes) for ordinal, codes in found.items()}


def _groups(items: Iterable[Compared], by: Callable[[Compared], Hashable]) -> list[list[Compared]]:
    groups: defaultdict[Hashable, list[Compared]] = defaultdict(list)
    for item in items:
        groups[by(item)].append(item)
    return [group for group in groups.values() if len(group) > 1]


def _compare_same(same: Sequence[Compared], found: dict[int, set[str]]) -> None:
    for item in same:
        if not item.is_open:
            continue
        for other in same:
            if other.key != item.key:
                found[item.ordinal].add("contradictory_keys")
            # Of two open items the later one goes; beside a settled one it is the open one.
            elif other is not item and (item.ordinal > other.ordinal or not other.is_open):
                found[item.ordinal].add("duplicate_item")


def _mutual_expansions(items: Sequence[Compared], gap_max: int, gap_also: str) -> list[tuple[Compared, Compared]]:
    """Pairs of pairs whose left sides expand to either right side."""
    by_right = sorted(items, key=lambda item: item.sides[1])
    rights = [item.sides[1] for item in by_right]
    fits: defaultdict[int, dict[int, Compared]] = defaultdict(dict)
    for item in items:
        left = item.sides[0]
        gap = GAP.search(left)
        if gap is None:
            continue
        begin = left[: gap.start()]
        # Only right sides that begin like this left side are worth a look.
        for place in range(bisect_left(rights, begin), len(rights)):
            if not rights[place].startswith(begin):
                break
            other = by_right[place]
            if other is not item and expands(left, rights[place], gap_max, gap_also):
                fits[item.ordinal][other.ordinal] = other
    by_ordinal = {item.ordinal: item for item in items}
    return [
        (by_ordinal[ordinal], other)
        for ordinal, others in fits.items()
        for other in others.values()
        if ordinal < other.ordinal and ordinal in fits.get(other.ordinal, ())
    ]
