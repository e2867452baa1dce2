"""`pair_almost_expands` (§5): a pair that was meant to expand and misses by a letter or two."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from characters import is_letter, is_mark, is_wordy
from texts import GAP, expands, filling_ends, tidy

DISTANCE_MAX = 2
LETTERS_AN_EDIT = 5  # of a short word too little is left to call it the same
FORM_LETTERS_MAX, OTHER_FORM_LETTERS_MAX = 2, 3  # the endings by which two forms of a word may differ
VOWELS = frozenset("аеёиоуыэюя")
GAP_SIGN = "\ue000"  # stands for a gap of the filled side; no sound text holds it


def almost_expands(one: str, other: str, gap_max: int, gap_also: str = "") -> bool:
    gapped, whole = tidy(one), tidy(other)
    if not GAP.search(gapped):
        gapped, whole = whole, gapped
        if not GAP.search(gapped):
            return False
    if expands(gapped, whole, gap_max, gap_also):
        return False
    gapped, whole = without_stress(gapped), without_stress(whole)
    segments = GAP.split(gapped)
    letters = sum(is_wordy(sign) and not is_mark(sign) for part in segments for sign in part)
    # «выт..рать» and «вытереть» are two words: in a single one, a replaced letter is no slip.
    one_word = " " not in gapped and " " not in whole
    most = min(1 if one_word else DISTANCE_MAX, letters // LETTERS_AN_EDIT)
    if most < 1:
        return False
    distance = edits(segments, GAP.sub(GAP_SIGN, whole), gap_max, gap_also, most, 2 if one_word else 1)
    return distance is not None and distance > 0 and not another_form(gapped, whole, gap_max, gap_also)


def without_stress(tidied: str) -> str:
    if tidied.isascii():
        return tidied
    apart = unicodedata.normalize("NFD", tidied)
    if "\u0301" not in apart and "\u0300" not in apart:
        return tidied
    return unicodedata.normalize("NFC", apart.replace("\u0300", "").replace("\u0301", ""))


def edits(
    segments: Sequence[str], whole: str, gap_max: int, gap_also: str, most: int, replacing: int = 1
) -> int | None:
    """The least number of edits that make `whole` of the segments with filled gaps, or None beyond `most`.

    Rows of the usual table, one for each character of the segments, but sparse: column → edits so far,
    only where they are few enough. A gap moves along the row for free.
    """
    row = _with_insertions({0: 0}, whole, most)
    for number, segment in enumerate(segments):
        if number > 0:
            row = _with_insertions(_filled(row, whole, gap_max, gap_also), whole, most)
        before: dict[int, int] = {}
        for at, sign in enumerate(segment):
            swapped = segment[at - 1] if at > 0 else None
            row, before = _next_row(row, before, sign, swapped, whole, most, replacing), row
            if not row:
                return None
    return row.get(len(whole))


def another_form(gapped: str, whole: str, gap_max: int, gap_also: str) -> bool:
    """«стекля..ый» and «стеклянная»: two forms of one word are no slip."""
    if " " in gapped or " " in whole:
        return False
    tail = GAP.split(gapped)[-1]
    for left_off in range(FORM_LETTERS_MAX + 1):
        rest, ending = _cut(tail, left_off)
        if not all(map(is_letter, ending)) or not any(map(is_letter, rest)):
            break
        for right_off in range(OTHER_FORM_LETTERS_MAX + 1):
            start, other_ending = _cut(whole, right_off)
            if len(other_ending) < right_off or not all(map(is_letter, other_ending)):
                break
            if left_off + right_off == 0:
                continue
            if left_off == 0 and gapped[-1] in VOWELS or right_off == 0 and whole[-1:] in VOWELS:
                continue
            if expands(gapped[: len(gapped) - left_off], start, gap_max, gap_also):
                return True
    return False


def _cut(text: str, count: int) -> tuple[str, str]:
    place = max(0, len(text) - count)
    return text[:place], text[place:]


def _filled(row: dict[int, int], whole: str, gap_max: int, gap_also: str) -> dict[int, int]:
    filled: dict[int, int] = {}
    for start, cost in row.items():
        for end in filling_ends(whole, start, gap_max, gap_also):
            if cost < filled.get(end, cost + 1):
                filled[end] = cost
    return filled


def _next_row(
    row: dict[int, int], before: dict[int, int], sign: str, previous: str | None, whole: str, most: int,
    replacing: int
) -> dict[int, int]:
    """`before` is the row before `row`, where the segment has a character before this one."""
    following: dict[int, int] = {}

    def reach(place: int, cost: int) -> None:
        if cost <= most and cost < following.get(place, most + 1):
            following[place] = cost

    for place, cost in row.items():
        reach(place, cost + 1)  # the character is left out
        if place < len(whole):
            reach(place + 1, cost + replacing * (whole[place] != sign))
    if previous is not None:
        for place, cost in before.items():
            if whole[place : place + 2] == sign + previous:
                reach(place + 2, cost + 1)
    return _with_insertions(following, whole, most)


def _with_insertions(row: dict[int, int], whole: str, most: int) -> dict[int, int]:
    spread = dict(row)
    for place, cost in row.items():
        for more in range(1, most - cost + 1):
            if place + more <= len(whole) and cost + more < spread.get(place + more, most + 1):
                spread[place + more] = cost + more
    return spread
