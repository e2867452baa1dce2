"""Words of two alphabets: `mixed_alphabet` (§5), and one alphabet for words that only look alike (§2, `fold`)."""

from __future__ import annotations

import itertools
import re
import unicodedata

from characters import LETTERS_AND_MARKS, WORD, is_letter

_CYRILLIC = "\u0400-\u0484\u0487-\u052f\u1c80-\u1c8a\u1d2b\u1d78\u2de0-\u2dff\ua640-\ua69f"
_LATIN = (
    "A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02b8\u02e0-\u02e4\u1d00-\u1d25\u1d2c-\u1d5c\u1d62-\u1d65"
    "\u1d6b-\u1d77\u1d79-\u1dbe\u1e00-\u1eff\u2071\u207f\u2090-\u209c\u212a\u212b\u2132\u214e\u2183\u2184\u2c60-\u2c7f"
    "\ua722-\ua787\ua78b-\ua7ca\ua7d0-\ua7d9\ua7f2-\ua7ff\uab30-\uab5a\uab5c-\uab64\uab66-\uab69\ufb00-\ufb06"
    "\uff21-\uff3a\uff41-\uff5a"
)
_GREEK = (
    "\u0370-\u0373\u0376\u0377\u037a-\u037d\u037f\u0386\u0388-\u03e1\u03f0-\u03ff\u1d26-\u1d2a\u1d5d-\u1d61"
    "\u1d66-\u1d6a\u1dbf\u1f00-\u1ffe\u2126\uab65"
)
CYRILLIC = re.compile(f"[{_CYRILLIC}]")
FOREIGN = re.compile(f"[{_LATIN}{_GREEK}]")
_FOREIGN_ALIKE = frozenset("ABCEHKMOPTXYaceopxyk" "ΑΒΕΗΚΜΟΡΤΧο")
_CYRILLIC_ALIKE = frozenset("АВЕКМНОРСТУХаеорсухкѕіј")

_ALIKE = dict(zip("ABCEHKMOPTXYaceopxyk", "АВСЕНКМОРТХУасеорхук"))
_ALIKE |= {
    unicodedata.normalize("NFC", latin + mark): _ALIKE[latin] + mark
    for latin in "aeoyAEOY" for mark in "\u0300\u0301"
    if latin + mark not in ("y\u0300", "Y\u0300")
}
_ALIKE |= {"ë": "е", "Ë": "Е"}
_TO_CYRILLIC = str.maketrans(_ALIKE)


# What stands as an index beside the sign of a quantity: «Tкип», «Eк», «Pатм».
_INDEXES = frozenset(
    "к п пл кип атм макс мин тр тяж упр ср нач кон внеш внутр вн полн полез полезн затр погл общ эл дв вх вых"
    " сопр возд вод нагр об эф".split()
)


def has_mixed_alphabet(text: str) -> bool:
    """Is there a word that only looks right: «cтеклянный» with a Latin c?"""
    if text.isascii() or not FOREIGN.search(text) or not CYRILLIC.search(text):
        return False
    return any(_is_mixed(word) for word in WORD.findall(text))


def in_one_alphabet(text: str) -> str:
    """Latin look-alikes in words with a Cyrillic letter as Cyrillic; still to be composed."""
    if text.isascii() or not FOREIGN.search(text) or not CYRILLIC.search(text):
        return text
    return LETTERS_AND_MARKS.sub(_word_in_one_alphabet, text)


def _word_in_one_alphabet(match: re.Match[str]) -> str:
    word = match[0]
    return word.translate(_TO_CYRILLIC) if CYRILLIC.search(word) else word


def _is_mixed(word: str) -> bool:
    letters = [sign for sign in word if is_letter(sign)]
    sided = [
        (foreign, sign) for sign in letters
        if (foreign := FOREIGN.match(sign) is not None) or CYRILLIC.match(sign)
    ]
    blocks = [
        (foreign, [sign for _, sign in block])
        for foreign, block in itertools.groupby(sided, key=lambda entry: entry[0])
    ]
    if len(blocks) != 2:
        return len(blocks) > 2
    foreign, cyrillic = (block for _, block in sorted(blocks, reverse=True))
    foreign_first = blocks[0][0]
    # An abbreviation or a Roman number with a Russian ending: «SMSка», «XIXв».
    if foreign_first and len(foreign) >= 2 and all(map(str.isupper, foreign)) and all(map(str.islower, cyrillic)):
        return False
    if foreign_first and len(foreign) == 1 and "".join(cyrillic) in _INDEXES:
        return False
    if all(unicodedata.normalize("NFD", sign)[0] in _FOREIGN_ALIKE for sign in foreign):
        return True
    return len(foreign) >= 2 and _CYRILLIC_ALIKE.issuperset(cyrillic)
