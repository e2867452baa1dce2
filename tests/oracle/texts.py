"""Normal forms, gaps, pair expansion and exact numbers (CONTRACTS §2, §3, §5)."""

from __future__ import annotations

import html
import re
import unicodedata
from fractions import Fraction

INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
ZERO_WIDTH_JOINER = "\u200d"
SPACES = "\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"

# Each run is one gap; a single full stop is none, and dots after ? or ! are
# punctuation («Что?..»).
GAP_SPELLINGS = re.compile(r"(?<![?!.])\.{2,}|(?<![?!…])…+|_+")
GAP = re.compile(r"(?<![?!.])\.{2,}")
SPACE_RUN = re.compile(f"[{SPACES}]+")

QUOTES = "«»„“”‟‘’‚‛‹›\"'`"
DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
LOOK_ALIKES = str.maketrans("ABCEHKMOPTXYaceopxy", "АВСЕНКМОРТХУасеорху")
FOLDED = str.maketrans({"ё": "е", "Ё": "Е"} | dict.fromkeys(QUOTES, '"') | dict.fromkeys(DASHES, "-"))
CYRILLIC = re.compile("[\u0400-\u04ff]")

_EMOJI_BLOCKS = ((0x1F000, 0x1FAFF), (0x2190, 0x21FF), (0x2300, 0x27BF), (0x2B00, 0x2BFF))
_EMOJI_TAILS = "\ufe0f" + "".join(map(chr, range(0x1F3FB, 0x1F400)))


def tidy(text: str) -> str:
    """§2: the form for word-for-word comparison."""
    composed = unicodedata.normalize("NFC", _without_invisible(text))
    return SPACE_RUN.sub(" ", GAP_SPELLINGS.sub("..", composed)).strip(" ")


def fold(text: str) -> str:
    """§2: the form for duplicates."""
    decoded = tidy(html.unescape(tidy(text)))
    return re.sub(r"\w+", _one_alphabet, decoded).translate(FOLDED)


def has_gap(text: str) -> bool:
    return GAP.search(tidy(text)) is not None


def characters(text: str) -> int:
    """User-perceived characters: marks and joined emoji ride with what they follow."""
    count, joined = 0, False
    for sign in text:
        rides = joined or is_mark(sign) or sign == ZERO_WIDTH_JOINER or sign in _EMOJI_TAILS
        count += not rides or count == 0
        joined = sign == ZERO_WIDTH_JOINER
    return count


def has_forbidden_character(text: str, line_break_allowed: bool) -> bool:
    """§5 `forbidden_character`."""
    return any(
        _is_forbidden(text, at) and not (line_break_allowed and text[at] in "\n\r")
        for at in range(len(text))
    )


def expands(left: str, right: str, gap_max: int) -> bool:
    """§2: is the right side the left side with every gap filled by letters?"""
    segments = GAP.split(tidy(left))
    whole = tidy(right)
    if len(segments) == 1 or GAP.search(whole) or not whole.startswith(segments[0]):
        return False
    # All places where the left side may have got to; no backtracking.
    places = {len(segments[0])}
    for segment in segments[1:]:
        filled = {end for place in places for end in _filling_ends(whole, place, gap_max)}
        places = {end + len(segment) for end in filled if whole.startswith(segment, end)}
    return len(whole) in places


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
    haystack, needle = tidy(text).lower(), tidy(words).lower()
    at = haystack.find(needle) if needle else -1
    while at >= 0:
        end = at + len(needle)
        touched = (at > 0 and _is_wordy(haystack[at - 1])) or (
            end < len(haystack) and _is_wordy(haystack[end])
        )
        if not touched:
            return True
        at = haystack.find(needle, at + 1)
    return False


def filled_words(text: str, filling: str) -> list[str]:
    """§4: the whole words around the gaps of `text`, filled."""
    marked = GAP.sub("\0", tidy(text))
    words = re.findall(f"{_WORD_SIGN}*(?:\0{_WORD_SIGN}*)+", marked)
    return [tidy(word.replace("\0", tidy(filling))) for word in words]


def is_letter(sign: str) -> bool:
    return unicodedata.category(sign).startswith("L")


def is_mark(sign: str) -> bool:
    return unicodedata.category(sign).startswith("M")


_WORD_SIGN = r"(?:[^\W_]|[\u0300-\u036f])"
_DIGITS = r"(?:[0-9]{1,3}(?: [0-9]{3})+|[0-9]+)"
_NUMBER = re.compile(
    rf"(?P<sign>[-+\u2212]?)(?P<whole>{_DIGITS})"
    rf"(?: ?/ ?(?P<below>{_DIGITS})|(?:[.,](?P<part>[0-9]+))?(?P<percent> ?%)?)"
)


def _without_invisible(text: str) -> str:
    return "".join(
        sign for at, sign in enumerate(text) if sign not in INVISIBLE or _joins_emoji(text, at)
    )


def _joins_emoji(text: str, at: int) -> bool:
    if text[at] != ZERO_WIDTH_JOINER:
        return False
    before = text[:at].rstrip(_EMOJI_TAILS)
    return bool(before) and _is_emoji(before[-1]) and _is_emoji(text[at + 1 : at + 2])


def _is_emoji(sign: str) -> bool:
    return sign != "" and any(low <= ord(sign) <= high for low, high in _EMOJI_BLOCKS)


def _is_forbidden(text: str, at: int) -> bool:
    sign, code = text[at], ord(text[at])
    if sign in INVISIBLE:
        return not _joins_emoji(text, at)
    return (
        unicodedata.category(sign) in ("Cc", "Co")
        or code in (0x061C, 0x200E, 0x200F)
        or 0x202A <= code <= 0x202E
        or 0x2060 <= code <= 0x2064
        or 0x2066 <= code <= 0x2069
        or 0xFFF9 <= code <= 0xFFFD
        or 0xFDD0 <= code <= 0xFDEF
        or code & 0xFFFE == 0xFFFE
    )


def _filling_ends(text: str, start: int, gap_max: int) -> list[int]:
    """Ends of all fillings of 0 to `gap_max` letters; a mark rides with its letter."""
    ends, end = [start], start
    while len(ends) <= gap_max and end < len(text) and is_letter(text[end]):
        end += 1
        while end < len(text) and is_mark(text[end]):
            end += 1
        ends.append(end)
    return ends


def _one_alphabet(match: re.Match[str]) -> str:
    word = match[0]
    return word.translate(LOOK_ALIKES) if CYRILLIC.search(word) else word


def _is_wordy(sign: str) -> bool:
    return is_letter(sign) or is_mark(sign) or unicodedata.category(sign) == "Nd"
