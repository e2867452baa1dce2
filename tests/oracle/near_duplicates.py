"""`near_duplicate_item` (§5): two items of a package that differ in hardly anything. It only warns."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

from characters import PUNCTUATION, is_letter, is_mark
from texts import GAP

THRESHOLD = 0.9
CHARACTERS_MIN = 20
_DIGITS = re.compile(r"\d+")
_SKIPPED = re.compile(rf"[{PUNCTUATION}\s]+")


@dataclass(slots=True)
class Candidate:
    """A well-formed item; candidates come in the order of the document."""

    game: str
    ordinal: int
    text: str  # fold of what is echoed
    choices: frozenset[str]  # folded; empty where the kind has none or echoes them
    identity: Hashable  # within its game


def near_duplicates(candidates: Sequence[Candidate], threshold: float = THRESHOLD) -> Iterator[tuple[Candidate, Candidate]]:
    """Each candidate that resembles an earlier one, with the first such."""
    # Whatever must be equal for a likeness is equal within one bucket.
    buckets: defaultdict[Hashable, list[int]] = defaultdict(list)
    for place, one in enumerate(candidates):
        if len(one.text) >= CHARACTERS_MIN:
            buckets[_must_be_equal(one)].append(place)
    found: dict[int, int] = {}
    for places in buckets.values():
        if len(places) > 1:
            found |= _in_bucket(candidates, places, threshold)
    for place in sorted(found):
        yield candidates[place], candidates[found[place]]


def _must_be_equal(one: Candidate) -> Hashable:
    text = one.text
    return tuple(_DIGITS.findall(text)), _around_gaps(text) if ".." in text else (), one.choices


def _around_gaps(text: str) -> tuple[str, ...]:
    """What touches each gap: the letter before and the letter behind it."""
    *before, last = GAP.split(text)
    around = []
    for segment, following in zip(before, (*before[1:], last)):
        around += [_letter(segment[-1:]), _letter(following[:1])]
    return tuple(around)


def _letter(sign: str) -> str:
    return sign if sign and (is_letter(sign) or is_mark(sign)) else ""


def _in_bucket(candidates: Sequence[Candidate], places: Sequence[int], threshold: float) -> dict[int, int]:
    """Place → first earlier place that it resembles.

    Two sets with a Jaccard beyond the threshold share one of their rarest members, if enough of
    these are looked at; so only texts that share a rare trigram are compared.
    """
    trigrams = {place: _trigrams(candidates[place].text) for place in places}
    spread = Counter(trigram for of_text in trigrams.values() for trigram in of_text)
    rarity = {trigram: at for at, trigram in enumerate(sorted(spread, key=lambda one: (spread[one], one)))}
    holders: defaultdict[str, list[int]] = defaultdict(list)
    found: dict[int, int] = {}
    for place in places:
        mine = trigrams[place]
        rare = sorted(mine, key=rarity.__getitem__)
        rare = rare[: len(mine) - math.ceil(threshold * len(mine) - 1e-9) + 1]
        earlier = {other for trigram in rare for other in holders[trigram]}
        for other in sorted(earlier):
            shared = len(mine & trigrams[other])
            likeness = shared / (len(mine) + len(trigrams[other]) - shared)
            if _resemble(candidates[place], candidates[other], likeness, threshold):
                found[place] = other
                break
        for trigram in rare:
            holders[trigram].append(place)
    return found


def _trigrams(text: str) -> set[str]:
    return {text[at : at + 3] for at in range(len(text) - 2)}


def _resemble(one: Candidate, other: Candidate, likeness: float, threshold: float) -> bool:
    same_game = one.game == other.game
    if same_game and one.identity == other.identity:
        return False  # duplicate_item or contradictory_keys says so already
    if one.text == other.text:
        return not same_game or likeness > threshold
    return likeness > threshold and _letters_alone(one.text) != _letters_alone(other.text)


def _letters_alone(text: str) -> str:
    return _SKIPPED.sub("", text).casefold()
