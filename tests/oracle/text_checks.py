"""What one text of a package may be found to be (§5), whatever it stands in."""

from __future__ import annotations

import re
from collections.abc import Sequence

from alphabets import has_mixed_alphabet
from characters import characters, has_forbidden_character
from markup import has_markup
from placeholder import has_placeholder
from texts import tidy

# Nearly all texts of a Russian lesson: nothing here is forbidden, foreign, markup or a template.
_PLAIN = re.compile(r"""[А-Яа-яЁё0-9 .,!?;:()«»—–\-„“"'’…_/+=→\u0301\u0306]*""")

_RARE_SPACES = re.compile("[\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
POINTS_A_CHARACTER = 16  # a text of more is no text, whatever it looks like


def text_faults(
    text: str, least: int, most: int, line_break_allowed: bool, shown: bool = True
) -> Sequence[str]:
    """The codes of one text, in their order; `shown`: people see it, so it may be ugly for them."""
    plain = _PLAIN.fullmatch(text) is not None
    if plain and least <= 1 and len(text) <= most and text[:1].isalnum():
        return ()
    faults = []
    if not tidy(text):
        faults.append("empty_text")
    elif least > 1 and characters(text) < least:
        faults.append("too_short")
    too_long = is_longer(text, most)
    if too_long:
        faults.append("too_long")
    if plain:
        return faults
    if has_forbidden_character(text, line_break_allowed):
        faults.append("forbidden_character")
    if shown and not too_long:
        text = _RARE_SPACES.sub(" ", text)  # a tag with a no-break space in it is one to the eye
        if has_mixed_alphabet(text):
            faults.append("mixed_alphabet")
        if has_markup(text):
            faults.append("markup")
        if has_placeholder(text):
            faults.append("placeholder")
    return faults


def is_longer(text: str, most: int) -> bool:
    return len(text) > most and (len(text) > most * POINTS_A_CHARACTER or characters(text) > most)


def has_known_characters(text: str, line_break_allowed: bool) -> bool:
    return _PLAIN.fullmatch(text) is not None or not has_forbidden_character(text, line_break_allowed)
