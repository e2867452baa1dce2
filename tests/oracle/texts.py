"""Normal forms, gaps, pair expansion and exact numbers (CONTRACTS §2, §3, §5)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

from alphabets import in_one_alphabet
from characters import ALWAYS_INVISIBLE, EMOJI_PARTS, is_letter, is_mark, is_wordy, without_invisible
from markup import decode_entities

SPACES = "\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"

# Each run is one gap; a single full stop is none, and dots after ? or ! are
# punctuation («Что?..»).
GAP_SPELLINGS = re.compile(r"(?<![?!.])\.{2,}|(?<![?!…])…+|_+")
GAP = re.compile(r"(?<![?!.])\.{2,}")
SPACE_RUN = re.compile(f"[{SPACES}]+")

# Whatever `tidy` may have to change, apart from composing.
_UNTIDY = re.compile(
    rf"[{ALWAYS_INVISIBLE}{EMOJI_PARTS}…_]|\.\.|[{SPACES.replace(' ', '', 1)}]|  |\A | \Z"
)

QUOTES = "«»„“”‟‘’‚‛‹›\"'`"
DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
FOLDED = str.maketrans({"ё": "е", "Ё": "Е"} | dict.fromkeys(QUOTES, '"') | dict.fromkeys(DASHES, "-"))
_FOLDABLE = re.compile(r"[ёЁ«»„“”‟‘’‚‛‹›'`\u2010-\u2015\u2212]")

# Several checks look at one text; whoever reads a document forgets them at its beginning.
_CACHED = 1 << 15


@lru_cache(_CACHED)
def tidy(text: str) -> str:
    """§2: the form for word-for-word comparison."""
    if not _UNTIDY.search(text):
        return text if text.isascii() else unicodedata.normalize("NFC", text)
    composed = unicodedata.normalize("NFC", without_invisible(text))
    return SPACE_RUN.sub(" ", GAP_SPELLINGS.sub("..", composed)).strip(" ")


@lru_cache(_CACHED)
def fold(text: str) -> str:
    """§2: the form for duplicates."""
    folded = tidy(text)
    if "&" in folded:
        folded = tidy(decode_entities(folded))
    if _FOLDABLE.search(folded):
        folded = folded.translate(FOLDED)
    alike = in_one_alphabet(folded)
    return folded if alike is folded else unicodedata.normalize("NFC", alike)


def caseless(text: str) -> str:
    """For «apart from case»."""
    return tidy(text).casefold()


def forget_texts() -> None:
    tidy.cache_clear()
    fold.cache_clear()


def has_gap(text: str) -> bool:
    return GAP.search(tidy(text)) is not None


def expands(left: str, right: str, gap_max: int, gap_also: str = "") -> bool:
    """§2: is the right side the left side with every gap filled by letters?"""
    segments = GAP.split(tidy(left))
    whole = tidy(right)
    if len(segments) == 1 or not whole.startswith(segments[0]) or not whole.endswith(segments[-1]):
        return False
    if GAP.search(whole):
        return False
    # All places where the left side may have got to; no backtracking.
    places = {len(segments[0])}
    for segment in segments[1:]:
        filled = {end for place in places for end in filling_ends(whole, place, gap_max, gap_also)}
        places = {end + len(segment) for end in filled if whole.startswith(segment, end)}
    return len(whole) in places


def filling_ends(text: str, start: int, gap_max: int, gap_also: str = "") -> list[int]:
    """Ends of all fillings of 0 to `gap_max` letters; a mark rides with its letter."""
    ends, end = [start], start
    while len(ends) <= gap_max and end < len(text) and (is_letter(text[end]) or text[end] in gap_also):
        end += 1
        while end < len(text) and is_mark(text[end]):
            end += 1
        ends.append(end)
    return ends


def exact_number(text: str) -> Fraction | None:
    """§3: a short answer as a number, or None where it is no number."""
    match = _NUMBER.fullmatch(tidy(text))
    if match is None:
        return None
    sign = -1 if match["sign"] in ("-", "\u2212") else 1
    whole = match["whole"].replace(" ", "")
    if match["below"] is not None:
        below = int(match["below"].replace(" ", ""))
        return None if below == 0 else sign * Fraction(int(whole), below)
    value = Fraction(whole + "." + (match["part"] or "0"))
    return sign * (value / 100 if match["percent"] else value)


def same_short_answer(one: str, other: str, numbers: bool) -> bool:
    """§3; `numbers` is the policy's `authority.short_answers`."""
    if tidy(one) == tidy(other):
        return True
    value = exact_number(one) if numbers else None
    return value is not None and value == exact_number(other)


def contains_words(text: str, words: str) -> bool:
    """§4: as whole words (nothing that belongs to a word touches them), apart from case."""
    return next(whole_words(tidy(text).lower(), tidy(words).lower()), None) is not None


def whole_words(text: str, words: str) -> Iterator[int]:
    """Where `words` stand in `text` as whole words."""
    at = text.find(words) if words else -1
    while at >= 0:
        end = at + len(words)
        touched = (at > 0 and is_wordy(text[at - 1])) or (end < len(text) and is_wordy(text[end]))
        if not touched:
            yield at
        at = text.find(words, at + 1)


def filled_words(text: str, filling: str) -> list[str]:
    """§4: the whole words around the gaps of `text`, filled."""
    marked = GAP.sub("\0", tidy(text))
    words = re.findall(f"{_WORD_SIGN}*(?:\0{_WORD_SIGN}*)+", marked)
    return [tidy(word.replace("\0", tidy(filling))) for word in words]


_WORD_SIGN = r"(?:[^\W_]|[\u0300-\u036f])"
_DIGITS = r"(?:[0-9]{1,3}(?: [0-9]{3})+|[0-9]+)"
_NUMBER = re.compile(
    rf"(?P<sign>[-+\u2212]?)(?P<whole>{_DIGITS})"
    rf"(?: ?/ ?(?P<below>{_DIGITS})|(?:[.,](?P<part>[0-9]+))?(?P<percent> ?%)?)"
)
