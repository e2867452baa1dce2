"""`giveaway` (§5): an item that tells its own answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from characters import LETTER, LETTER_OR_DIGIT, WORD, letter_count
from texts import GAP, caseless, tidy, whole_words

VERDICT = (
    r"(?:не ?)?(?:верн|правильн)(?:о|ый|ая|ое|ые)(?: (?:ответ|вариант))?|(?:in)?correct(?: (?:answer|option))?"
    r"|right(?: (?:answer|option))?|wrong(?: (?:answer|option))?"
)
# Behind a dash «ключ» may be the other half of an analogy: «замок — ключ».
HINT = rf"(?:{VERDICT}|ответ|ключ|true|false|answer|key)"
_HINT = re.compile(HINT)
_HINT_SIGN = re.compile(r"[(\[{—–:\-←<=→]")
_HINT_IN_BRACKETS = re.compile(rf"[(\[{{]\s*(?:это )?{HINT}[!.]?\s*[)\]}}]")
_HINT_AT_END = re.compile(
    rf"(?:{LETTER_OR_DIGIT}|[»\").!?])\s*(?:[—–:]|\s-|←|<-|=>|->|→)\s*(?:это )?(?:{VERDICT})[!.]?\Z"
)
_TICKS = re.compile("[✓✔☑✅✗✘❌❎☒⭐★☆]")
_STAR = re.compile(rf"\A[*+]\s*{LETTER}{LETTER}|{LETTER}{LETTER}[.!?»\")]*\s*[*+]\Z")
_ALL_OR_NONE = re.compile("|".join((
    r"(?:все|всё) (?:(?:пере|выше ?пере|ниже ?пере)численн(?:ое|ые)|(?:варианты|ответы)(?: ответов| ответа)?"
    rf"|(?:из )?(?:выше|пере){LETTER}+|эти (?:варианты|ответы|слова))"
    r"(?: (?:выше|верн[оы]|верные|правильн[оы]|правильные|подходят|варианты|ответы))*",
    r"(?:верн[оы]|правильн[оы]) (?:все|всё|оба)(?: (?:варианта|варианты|ответа|ответы))?",
    r"оба (?:варианта|ответа)(?: (?:верн[оы]|правильн[оы]|подходят))?",
    r"(?:ничего|ни один|ни одно|ни одна|ни одного)(?: (?:вариант|ответ|слово))? (?:из )?(?:выше|ниже)?"
    r"(?:перечисленн|указанн|названн|предложенн|этих|вариантов|ответов|вышеперечисленн|нижеперечисленн)"
    rf"{LETTER}*(?: (?:вариантов|ответов|слов))?",
    r"нет (?:верн|правильн)(?:ого|ых) (?:ответа|ответов|варианта|вариантов)", r"(?:верного|правильного) ответа нет",
    r"(?:all|none|both|any|neither) of (?:the above|these|them|the options|the answers)",
    r"all (?:answers|options) are (?:correct|right)", r"no (?:correct|right) answer",
    r"(?:верны |верно |и |both )[абвгabcd1-4]\)? (?:и|and) [абвгabcd1-4]\)?",
    r"[абвгabcd1-4]\) (?:и|and) [абвгabcd1-4]\)", r"[абвгabcd1-4] (?:и|and) [абвгabcd1-4] верны",
)))
_CLOSING_BRACKET = re.compile(r"\s*[)\]]\s*[.!]?\Z")
_OPENING_BRACKET = re.compile(r"[(\[]\s*")
VERDICTS = frozenset("ложь ложно неправда правда истина lie truth catch skip ловить пропустить".split())
_NUMBERED = re.compile(r"(?:(\d{1,2})\s?[.):]|(?:шаг|step) (\d{1,2}))(?!\d)", re.IGNORECASE)
ENUMERATORS = frozenset((",", ";", "/", "|"))
OR = frozenset(("или", "либо", "or"))

TOLD_OPTION_LETTERS, TOLD_LETTERS = 4, 3
FORM_OPTIONS_MIN = 3  # of two options each differs from «the others»
LENGTH_APART, LENGTH_TIMES = 20, 2


def options_tell(question: str | None, options: Sequence[str], key: int) -> bool:
    tidied = [tidy(option) for option in options]
    folded = [option.casefold() for option in tidied]
    return (
        _have_hint(tidied, folded, key)
        or any(_ALL_OR_NONE.fullmatch(option.removesuffix(".")) for option in folded)
        or question is not None and _told_in(caseless(question), folded, key)
        or len(options) >= FORM_OPTIONS_MIN and _stands_out(tidied, key)
    )


def label_tells(
    text: str, label: str, labels: Iterable[str], fillings: Mapping[str, str], *, chosen: bool
) -> bool:
    """`chosen`: by the author; fixed labels are words of the program, not of the lesson."""
    folded, wanted = caseless(text), caseless(label)
    if folded.endswith((")", "]", ").", "].", ")!", "]!", ") .", "] .", ") !", "] !")):
        own_fillings = (caseless(filling) for name, filling in fillings.items() if caseless(name) == wanted)
        if _has_verdict_behind(folded, {wanted, *own_fillings}):
            return True
    if not chosen or wanted not in folded or folded == wanted or letter_count(wanted) < TOLD_LETTERS:
        return False
    if next(whole_words(folded, wanted), None) is None:
        return False
    others = (other for name in labels if (other := caseless(name)) != wanted)
    return all(next(whole_words(folded, other), None) is None for other in others)


def question_tells(question: str, key: str) -> bool:
    folded, wanted = caseless(question), caseless(key)
    return wanted in folded and letter_count(wanted) >= TOLD_LETTERS and _is_told(folded, wanted)


def steps_tell(steps: Sequence[str]) -> bool:
    numbers = []
    for step in steps:
        match = _NUMBERED.match(tidy(step))
        if match is None:
            return False
        numbers.append(int(match[1] or match[2]))
    return numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def alone(marked: Sequence[bool], key: int) -> bool:
    """Has the right option what no other has, or lacks it what every other has?"""
    return marked.count(marked[key]) == 1


def _have_hint(tidied: Sequence[str], folded: Sequence[str], key: int) -> bool:
    # Something stands before the bracket: a tidied text does not begin with a space.
    signed = [_HINT_SIGN.search(option) is not None for option in folded]
    if any(sign and _HINT_IN_BRACKETS.search(option, 1) for sign, option in zip(signed, folded)):
        return True
    # Where every option ends so, these are the answers: «А — верно, Б — неверно».
    trailing = [sign and _HINT_AT_END.search(option) is not None for sign, option in zip(signed, folded)]
    if any(trailing) and not all(trailing):
        return True
    ticked = [_TICKS.search(option) is not None for option in tidied]
    if any(ticked) and not all(ticked):
        return True
    if not any("*" in option or "+" in option for option in tidied):
        return False
    return alone([_STAR.search(option) is not None for option in tidied], key)


def _told_in(question: str, options: Sequence[str], key: int) -> bool:
    right = options[key]
    if right not in question or letter_count(right) < TOLD_OPTION_LETTERS or not _is_told(question, right):
        return False
    others = (option for at, option in enumerate(options) if at != key)
    return all(next(whole_words(question, other), None) is None for other in others)


def _is_told(question: str, answer: str) -> bool:
    """It stands there, and never as one of several that are enumerated."""
    places = list(whole_words(question, answer))
    return bool(places) and not any(
        _is_enumerated(question[:place], question[place + len(answer) :]) for place in places
    )


def _is_enumerated(before: str, after: str) -> bool:
    if before.rstrip()[-1:] in ENUMERATORS or after.lstrip()[:1] in ENUMERATORS:
        return True
    following = WORD.search(after)
    preceding = WORD.findall(before)[-1:]
    return bool(OR.intersection(preceding)) or following is not None and following[0] in OR


def _stands_out(tidied: Sequence[str], key: int) -> bool:
    if alone([GAP.search(option) is not None for option in tidied], key):
        return True
    if alone([option.endswith(".") and not option.endswith("..") for option in tidied], key):
        return True
    lengths = [len(option) for option in tidied]
    right = lengths.pop(key)
    longest, shortest = max(lengths), min(lengths)
    return (
        right - longest >= LENGTH_APART and right >= LENGTH_TIMES * longest
        or shortest - right >= LENGTH_APART and LENGTH_TIMES * right <= shortest
    )


def _has_verdict_behind(folded: str, own: set[str]) -> bool:
    closing = _CLOSING_BRACKET.search(folded)
    if closing is None:
        return False
    for opening in _OPENING_BRACKET.finditer(folded, 1, closing.start()):
        remark = folded[opening.end() : closing.start()]
        if remark and (remark in own or remark in VERDICTS or _HINT.fullmatch(remark)):
            return True
    return False
