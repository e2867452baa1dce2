"""`placeholder` (§5): a template that was never filled."""

from __future__ import annotations

import re

from characters import LETTER, MARKS

_SIGN = re.compile(r"[{<\[%]|@@|##|__|TODO|TBD|FIXME|[Ll][Oo][Rr][Ee][Mm] ")

# Those that need no second look.
_SIMPLE = re.compile(
    "|".join((
        rf"\{{\{{[^{{}}\n]*{LETTER}[^{{}}\n]*\}}\}}", r"\{%[^\n]*?%\}", r"<%[^\n]*?%>",
        rf"\[\[[^\[\]\n]*(?:{LETTER}|_)[^\[\]\n]*\]\]", r"<<\s*[A-Za-z_][A-Za-z0-9_.-]*\s*>>",
        r"[$#]\{[^{}\n]*\}",
        r"(?<!\d)%[A-Za-zА-Яа-яЁё_][A-Za-zА-Яа-яЁё_0-9]+%",
        r"(?<![^\W_])(?<!%)%(?:\d+\$|\([A-Za-z_][A-Za-z0-9_]*\))?[sd](?![^\W_])",
        rf"@@(?:{LETTER}|_)\w*@@", rf"##(?:{LETTER}|_)\w*##", r"__[A-Z][A-Z0-9_]*[A-Z0-9]__",
        r"\[(?:ИМЯ|СЛОВО|НАЗВАНИЕ|ОТВЕТ|ВОПРОС|ТЕКСТ|ВАРИАНТ|ПРИМЕР|ТЕМА|ЧИСЛО|ДАТА|ГОРОД"
        r"|NAME|WORD|ANSWER|QUESTION|TEXT|OPTION|TITLE|TOPIC|EXAMPLE|NUMBER|DATE|GAP)\]",
        r"(?<!\w)(?:TODO|TBD|FIXME)(?!\w)", r"(?i:lorem ipsum)", r"\[object Object\]",
    ))
)
_IN_BRACKETS = re.compile(
    r"\[\s*(?:вставь|вставьте|вставить|впишите|введите|укажите|подставьте|insert|enter|your|fill in|placeholder|todo|tbd"
    rf"|пропуск|blank)(?:(?:[\d_]|[^\w\]\n])[^\]\n]*)?\]"
    r"|\[(?:имя|слово|название|ответ|вопрос|текст|вариант|пример|тема|число|дата|город"
    r"|name|word|answer|question|text|option|title|topic|example|number|date|gap)[ _-]?\d+\]",
    re.IGNORECASE,
)
_IN_BRACES = re.compile(rf"\{{\s*((?:{LETTER}|_)[\w. -]*\w|id)\s*\}}")
_NUMBER_IN_BRACES = re.compile(r"\{\{[^{}\n]*\}\}|\{\d{0,2}\}")
_SETS = re.compile(r"[=∈∉⊂⊆∪∩∅]|множеств", re.IGNORECASE)  # {1} is a set there
_IN_ANGLES = re.compile(rf"(?<![^\W_])(?<!<)<((?:{LETTER}|_)[\w -]{{2,}})>")
_TELLING = re.compile(
    rf"[\u0400-\u052f]|\A(?:name|word|answer|question|text|option|title|topic|placeholder|insert|your)(?![^\W_]|[{MARKS}])",
    re.IGNORECASE,
)


def has_placeholder(text: str) -> bool:
    if not _SIGN.search(text):
        return False
    if _SIMPLE.search(text):
        return True
    if "{" in text and _in_braces(text):
        return True
    if "[" in text and _IN_BRACKETS.search(text):
        return True
    return "<" in text and any(_TELLING.search(inside) for inside in _IN_ANGLES.findall(text))


def _in_braces(text: str) -> bool:
    if any(len(name) >= 3 or name == "id" for name in _IN_BRACES.findall(text)):
        return True
    return _NUMBER_IN_BRACES.search(text) is not None and not _SETS.search(text)
