"""Classes of characters, as patterns: what nobody sees, what joins an emoji, what belongs to a word (§2, §5).

Python's `re` knows no categories, so the classes that matter here are spelled out once.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

def _ranges(points: Iterable[int]) -> str:
    """The inside of a character class that holds exactly these code points (in rising order)."""
    runs: list[list[int]] = []
    for point in points:
        if runs and point == runs[-1][1] + 1:
            runs[-1][1] = point
        else:
            runs.append([point, point])
    return "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in runs)


def _points_by_category() -> dict[str, list[int]]:
    # Beyond these planes there are ideographs, and what FORBIDDEN and INVISIBLE name.
    points: dict[str, list[int]] = {}
    for point in range(0x20000):
        points.setdefault(unicodedata.category(chr(point)), []).append(point)
    return points


_POINTS = _points_by_category()


def _of_category(*categories: str) -> str:
    return _ranges(sorted(point for category in categories for point in _POINTS[category]))


# Python's \w takes numbers that are no digits, such as ½ and ²; a word does not.
_OTHER_NUMBERS = _of_category("Nl", "No")
LETTER = rf"[^\W\d_{_OTHER_NUMBERS}]"
LETTER_OR_DIGIT = rf"[^\W_{_OTHER_NUMBERS}]"
MARKS = _of_category("Mn", "Mc", "Me") + "\U000e0100-\U000e01ef"  # the inside of a class
PUNCTUATION = _of_category("Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po")  # likewise
WORD = re.compile(rf"(?:{LETTER_OR_DIGIT}|[{MARKS}])+")  # letters, digits and marks
LETTERS_AND_MARKS = re.compile(rf"(?:{LETTER}|[{MARKS}])+")

# Invisible characters that change nothing, wherever they stand; then those that some emoji need.
ALWAYS_INVISIBLE = (
    "\u00ad\u200b\u200c\u2060-\u2064\ufeff\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0"
    "\ufe00-\ufe0d\U000e0100-\U000e01ef"
)
ZERO_WIDTH_JOINER = "\u200d"
EMOJI_PARTS = "\u200d\ufe0e\ufe0f\U000e0020-\U000e007f"
INVISIBLE = re.compile(f"[{ALWAYS_INVISIBLE}{EMOJI_PARTS}]")
CONTROLS, PRIVATE_USE = "\x00-\x1f\x7f-\x9f", "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"
FORBIDDEN = (
    CONTROLS + PRIVATE_USE + "\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffd\ufdd0-\ufdef"
    + "".join(chr(plane << 16 | low) for plane in range(17) for low in (0xFFFE, 0xFFFF))
)
# One look at a text for anything that may be forbidden; most texts hold nothing of it.
SUSPICIOUS = re.compile(f"[{FORBIDDEN}{ALWAYS_INVISIBLE}{EMOJI_PARTS}]")
LINE_BREAKS = "\n\r\u2028\u2029"

# Extended_Pictographic of Unicode's emoji data.
PICTOGRAPH = re.compile(
    "[©®‼⁉™ℹ↔-↙↩↪⌚⌛⌨⎈⏏⏩-⏳⏸-⏺Ⓜ▪▫▶◀◻-◾☀-★☇-☒☔-⚅⚐-✅✈-✒✔✖✝✡✨✳✴❄❇❌❎❓-❕❗❣-❧➕-➗➡➰➿⤴⤵⬅-⬇⬛⬜⭐⭕〰〽㊗㊙"
    "\U0001f000-\U0001f0ff\U0001f10d-\U0001f10f\U0001f12f\U0001f16c-\U0001f171\U0001f17e\U0001f17f\U0001f18e"
    "\U0001f191-\U0001f19a\U0001f1ad-\U0001f1e5\U0001f201-\U0001f20f\U0001f21a\U0001f22f\U0001f232-\U0001f23a"
    "\U0001f23c-\U0001f23f\U0001f249-\U0001f3fa\U0001f400-\U0001f53d\U0001f546-\U0001f64f\U0001f680-\U0001f6ff"
    "\U0001f774-\U0001f77f\U0001f7d5-\U0001f7ff\U0001f80c-\U0001f80f\U0001f848-\U0001f84f\U0001f85a-\U0001f85f"
    "\U0001f888-\U0001f88f\U0001f8ae-\U0001f8ff\U0001f90c-\U0001f93a\U0001f93c-\U0001f945\U0001f947-\U0001faff"
    "\U0001fc00-\U0001fffd]"
)
SKIN_TONES = "".join(map(chr, range(0x1F3FB, 0x1F400)))
_EMOJI_TAILS = "\ufe0e\ufe0f" + SKIN_TONES
_KEYCAP_BASES = "0123456789#*"
_TAGS = "".join(map(chr, range(0xE0020, 0xE0080)))


def is_letter(sign: str) -> bool:
    return unicodedata.category(sign)[0] == "L"


def is_mark(sign: str) -> bool:
    return unicodedata.category(sign)[0] == "M"


def is_wordy(sign: str) -> bool:
    """A letter, a mark or a digit: what may not touch a whole word."""
    category = unicodedata.category(sign)
    return category[0] in "LM" or category == "Nd"


def letter_count(text: str) -> int:
    return sum(map(is_letter, text))


def belongs_to_emoji(text: str, at: int) -> bool:
    """May the invisible character at `at` stay, because it shapes an emoji?"""
    sign = text[at]
    if sign == ZERO_WIDTH_JOINER:
        before = text[:at].rstrip(_EMOJI_TAILS)
        return bool(PICTOGRAPH.match(before[-1:])) and bool(PICTOGRAPH.match(text, at + 1))
    before = text[at - 1 : at]
    if sign in "\ufe0e\ufe0f":
        return before != "" and (before in _KEYCAP_BASES or bool(PICTOGRAPH.match(before)))
    if sign in _TAGS:
        return bool(PICTOGRAPH.match(text[:at].rstrip(_TAGS)[-1:]))
    return False


def without_invisible(text: str) -> str:
    return INVISIBLE.sub(
        lambda match: match[0] if belongs_to_emoji(text, match.start()) else "", text
    )


def has_forbidden_character(text: str, line_break_allowed: bool) -> bool:
    """§5 `forbidden_character`."""
    for match in SUSPICIOUS.finditer(text):
        sign = match[0]
        if line_break_allowed and sign in LINE_BREAKS:
            continue
        if INVISIBLE.match(sign) and belongs_to_emoji(text, match.start()):
            continue
        return True
    return False


def characters(text: str) -> int:
    """User-perceived characters: marks and joined emoji ride with what they follow."""
    count, joined = 0, False
    for at, sign in enumerate(text):
        rides = (
            joined or is_mark(sign) or sign == ZERO_WIDTH_JOINER or sign in SKIN_TONES or sign in _TAGS
            or (sign == "\n" and text[at - 1 : at] == "\r")
        )
        count += not rides or count == 0
        joined = sign == ZERO_WIDTH_JOINER
    return count
