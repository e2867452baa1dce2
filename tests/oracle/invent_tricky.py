"""Packages for the differential test of the checks: sound items with tricky texts spliced in.

Half of the snippets are innocent and only look like faults: what a checker may not flag is as telling as
what it must. Everything follows from the random source, so a seed names a package.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from random import Random
from typing import Any

import words
from invent_package import (
    ALL_KINDS, DOCUMENT_HEAD, ItemMaker, bare_game, shared_part, spoil_document, spoil_item, twin_of,
)
from kinds import KINDS, Kind
from package import read_item

Place = tuple[Any, Any]  # a container and the index or name of a text in it

FOREIGN_WORDS = (
    "cтеклянный", "Hочь", "Рython", "Python", "SMSка", "XIXв", "Fтр", "Яndex", "SМS", "кoт", "IQшный", "Wi-Fi-сеть", "iPhoneы",
    "Мoсква", "A4", "АB", "xх", "пoезд", "pH-метр", "USB‑кабель", "αльфа", "Οкно", "СССР", "CCCP", "cлово", "мóлоко", "молокó", "HТМL",
    "éль", "ëлка", "п1a", "2x", "x²", "3D-модель", "kот", "сokол", "Xлеб", "КОМПAС", "TVшоу", "IIIй", "Vитя", "c\u0301он", "ДНКa", "b2b", "Kот",
)
MARKUP = (
    "<b>жирный</b>", "<br>", "<br/>", "<BR />", "</p>", "a<b>c", "a<b>c</b>", "x<i>y", "если a<b и c>d", "<слово>", "<кот>", "<img src=x.png>",
    '<a href="/x">', "<input disabled>", "<input DISABLED>", "<font color='red'>", "<foo>", "<h1>", "<h7>", "<!-- примечание -->", "<!DOCTYPE html>",
    "<?xml", "<![CDATA[", "<p", "< b >", "<b >", "<b class>", "<span style=color:red>", "&nbsp;", "&amp;", "&laquo;да&raquo;", "&#1084;", "&#x43c;", "&#0;",
    "&bogus;", "&nbsp", "&nbspace", "&amp=1", "AT&T", "R&B", "&apos;", "&mdash", "&copy;", "&AMP;", "&;", "**важно**", "2**3", "** нет **", "*слово*",
    "*5*", "5 * 3 * 2", "2*3*4", "(*a*)", "*«да»*", "*1.*«а»*", "* сноска", "* 5", "\n* пункт", "`код`", "```", "``", "~~нет~~", "~5~", "# Заголовок",
    "#1", "### итог", "\n# Часть", "a # б", "![рис](x.png)", "![](", "[ссылка](https://x.ru)", "[ссылка](/x)", "[1](2)", "[а](б)", "[x](#y)", "|---|---|",
    "---", "--- |", "| --- |", "[/b]", "[b]", "[/I]", "[/х]", "_курсив_", "__жирный__", "«*»", "слово*", "*слово", "C*-алгебра", "10*", "(a*b*c)",
)
PLACEHOLDERS = (
    "{{name}}", "{{}}", "{{1, 2}}", "{{1}, {2}}", "{% if %}", "<% x %>", "[[пропуск-7]]", "[[1]]", "[[a]]", "<<name>>", "<<имя>>", "«<<»", "${x}", "#{имя}", "${}",
    "$5", "{name}", "{имя}", "{id}", "{ab}", "{а}", "{имя ученика}", "{ слово }", "{x + y}", "{1}", "{}", "{12}", "{123}", "множество {1}", "{1} ∪ A", "{1} = A",
    "{х, у}", "{слово.}", "%имя%", "%NAME%", "50%от%", "%d%", "%s", "%1$s", "%(name)s", "5%s", "100%", "50 %", "50 %s.", "%d шт", "%%s", "сто%s", "%день",
    "@@имя@@", "##тема##", "__NAME__", "__A__", "__AB_", "__слово__", "<имя>", "<имя героя>", "<name>", "<name 1>", "<names>", "<answer-1>", "<abcd>", "<аб>", "x<имя>",
    "<word_2>", "[вставьте слово]", "[ВСТАВЬТЕ]", "[вставьтесь]", "[ введите имя ]", "[insert name]", "[your name]", "[yours]", "[todo]", "[слово]", "[СЛОВО]",
    "[Слово]", "[слово 1]", "[слово-2]", "[СЛОВО_3]", "[слово1]", "[слово  1]", "[1]", "[т']", "[пропуск]", "[пропуска]", "TODO", "todo", "TODOs", "TODO:", "МЕТОДTODO",
    "FIXME!", "TBD", "Lorem ipsum dolor", "lorem  ipsum", "[object Object]", "[object object]", "[GAP]", "[gap 2]", "[blank]", "[fill in]", "[fill in the word]", "____",
)
CHARACTERS = (
    "\u200b", "\u200c", "\u200d", "\u00ad", "\u2060", "\ufeff", "\u034f", "\u115f", "\u1160", "\u17b4", "\u180e", "\u3164", "\uffa0", "\ufe0f", "\ufe00", "1\ufe0f\u20e3", "#\ufe0f",
    "❤\ufe0f", "☺\ufe0e", "а\ufe0f", "\U000e0101", "🏴\U000e0067\U000e0062\U000e007f", "\U000e0067", "а\U000e0067", "👨\u200d👩\u200d👧", "👩🏽\u200d🚀", "👨\u200d", "\u200d👩", "а\u200dб",
    "👁\ufe0f\u200d🗨\ufe0f", "\u2028", "\u2029", "\n", "\r\n", "\t", "\u0085", "\u00a0", "\u202f", "\u3000", "\u200e", "\u202e", "\u2066", "\u061c", "\ue000", "\ufffd", "\ufdd0", "\U0001ffff",
    "а\u0301", "е\u0308", "и\u0306", "\u0300", "…", "..", "?..", "!…", "_", "ё", "Ё", "„“", "‘’", "—", "–", "−", "\u2011", "\x00", "\x7f", "🇷🇺", "©\ufe0f",
)
HINTS = (
    " (верный)", " (верно)", " (неверно)", " (не верно)", " (правильный ответ)", " [правильно!]", " {ключ}", " — верно", " - верно", "-верно", ": ответ", " – это верный вариант", " (это ответ)",
    " ← ответ", " -> true", " => correct", " <- верно", " (correct answer)", " (wrong)", " (верность)", " (верная дружба)", " — верная дружба", " верно", " (наверно)", " ✓", " ✅", "✗", " ★", " *", "*", " +", "+ ",
    "* ", " (ответ: 5)", " (ложь)", " — неправильно.", " (right)", " = верно", " (верно, но нет)", " (верно) и ещё", " (Верно).", " ( верно ! )", "ключ", " — ключ", ": ключ", " —", " (ё)", "\u00a0(верно)",
)
BLANKETS = (
    "Все перечисленные", "Все варианты верны", "все ответы", "Всё вышеперечисленное", "всё выше перечисленное", "Ничего из перечисленного", "ни один из вариантов", "Ни одно из этих слов", "оба варианта верны",
    "верны все", "верны оба варианта", "нет верного ответа", "Правильного ответа нет.", "all of the above", "None of the above.", "neither of them", "no correct answer", "А и Б", "и а и б", "верны а) и б)", "a and b",
    "both a and b", "1 и 2", "1 и 3 верны", "все слова", "все реки", "Все", "оба", "нет ответа", "all of us", "ничего", "ничего лишнего", "ни один вариант из предложенных", "б и г", "а и я", "все эти слова подходят",
)
REMARKS = (
    " (ложь)", " (правда)", " (truth)", " (LIE)", " [catch]", " (skip).", " (Одна Н)", " (Две НН)", " (н)", " (нн)", " (верно)", " (ключ)", " (ё)", " (осень)", " (1)", " (1) (ложь)", " (ложь) — так", " (ложь) (1)",
    " ( истина )!", " (ловить)", " (не ложь)", " (это ложь)", ": ложь", " truth", " Одна Н", " — две нн", " Одна Н или Две НН", " Одна Нота", " (две  нн)", " catch", " Catch me", " скип", " lies", " Не знаю", " (не знаю)",
)
NUMBERINGS = ("{}. ", "{}) ", "{}.", "{} ) ", "{}: ", "шаг {} ", "Шаг {}: ", "Step {} - ", "{} ", "{}, ", "№{} ", "шаг{} ", "0{}. ", "{}.5 ", "{}:00 ")
LONG_TEXTS = (
    "В каком году началось строительство собора на берегу широкой реки", "Укажите, сколько букв пишется на месте пропуска в слове маши..ый",
    "Сколько будет 125 умножить на 8, если сначала разложить множители", "Какое из этих слов правильно подчёркнуто: лист, корень и стебель",
    "Летом на опушке леса у старой мельницы дети собирали спелую землянику", "Поезд прошёл 120 километров за 2 часа; найдите среднюю скорость поезда",
    "«Гроза» — пьеса, в которой героиня живёт в городе на высоком берегу Волги", "В словах стекля..ый, оловя..ый и деревя..ый пишется одно и то же сочетание",
)
ALIKE = dict(zip("АВСЕНКМОРТХУасеорхук", "ABCEHKMOPTXYaceopxyk"))


def tricky_package(rng: Random) -> dict[str, Any]:
    """A document whose items are full of doubtful texts; now and then the document is at fault itself."""
    document: dict[str, Any] = dict(DOCUMENT_HEAD) | {"games": {}}
    for kind in rng.sample(ALL_KINDS, rng.choice((2, 3, 4, 5, 7, 10))):
        document["games"][kind.name] = _game(rng, kind)
    if rng.random() < 0.3:
        _copy_across(rng, document["games"])
    if rng.random() < 0.06:
        _spoil_shared(rng, document)
    return document


def tricky_bytes(rng: Random) -> bytes:
    document: Any = tricky_package(rng)
    if rng.random() < 0.06:
        document = spoil_document(rng, document)
    text = document if isinstance(document, str) else json.dumps(document, ensure_ascii=rng.random() < 0.1)
    return text.encode("utf-8", "surrogatepass")


def _game(rng: Random, kind: Kind) -> dict[str, Any]:
    raw = shared_part(rng, kind)
    if kind.form in ("short", "partner", "steps", "none") and rng.random() < 0.06:
        raw["fillings"] = ["н", "нн"]
    maker = ItemMaker(rng, kind, raw)
    data: list[Any] = raw["data"]
    for _ in range(rng.choice((1, 2, 3, 4, 6, 8, 10))):
        item = maker.item()
        draw = rng.random()
        if draw < 0.05:
            item = spoil_item(rng, kind, raw, item)
        elif draw < 0.11 and data:
            try:
                item = twin_of(rng, kind, raw, rng.choice(data), rng.random() < 0.5 or kind.form == "none")
            except (KeyError, TypeError, IndexError, ValueError):
                pass  # the other is spoiled
        elif draw < 0.9:
            holder = [item]
            for _ in range(rng.choice((1, 1, 1, 2))):
                rng.choice(_CHANGES[kind.form])(rng, kind, raw, holder)
            item = holder[0]
        data.append(item)
        if rng.random() < 0.06:
            data.append(_nearly(rng, copy.deepcopy(item)))
    return raw


def _places(item: Any, holder: list[Any]) -> list[Place]:
    """Every text of an item, labels and `asks` apart."""
    if isinstance(item, str):
        return [(holder, 0)]
    places: list[Place] = []
    for name, value in item.items() if isinstance(item, dict) else ():
        if isinstance(value, str) and name != "asks" and not (name == "key" and "accept" not in item and "q" not in item):
            places.append((item, name))
        elif isinstance(value, list):
            places += [(value, at) for at, entry in enumerate(value) if isinstance(entry, str)]
    return places


def _splice(rng: Random, text: str, snippet: str) -> str:
    place = rng.randrange(len(text) + 1)
    spaces = [at for at, sign in enumerate(text) if sign == " "]
    return rng.choice((
        lambda: f"{snippet} {text}", lambda: f"{text} {snippet}", lambda: snippet, lambda: snippet + text, lambda: text + snippet,
        lambda: text[:place] + snippet + text[place:],
        lambda: text[: (at := rng.choice(spaces or [0]))] + f" {snippet} " + text[at:], lambda: f"Слово «{snippet}» здесь",
    ))()


def _change_some_text(rng: Random, change: Callable[[str], str], holder: list[Any]) -> None:
    places = _places(holder[0], holder)
    if places:
        container, at = rng.choice(places)
        container[at] = change(container[at])


def _spliced_from(snippets: tuple[str, ...]) -> Callable[..., None]:
    def change(rng: Random, _kind: Kind, _raw: dict[str, Any], holder: list[Any]) -> None:
        _change_some_text(rng, lambda text: _splice(rng, text, rng.choice(snippets)), holder)

    return change


def _look_alike(rng: Random, _kind: Kind, _raw: dict[str, Any], holder: list[Any]) -> None:
    def change(text: str) -> str:
        chance = rng.choice((0.05, 0.3, 1))
        return "".join(ALIKE[sign] if sign in ALIKE and rng.random() < chance else sign for sign in text)

    _change_some_text(rng, change, holder)


def _respell(rng: Random, _kind: Kind, _raw: dict[str, Any], holder: list[Any]) -> None:
    """Another spelling that some comparison must see through, or must not."""
    def change(text: str) -> str:
        place = rng.randrange(len(text) + 1)
        return rng.choice((
            text.upper(), text.lower(), text.replace(" ", rng.choice(("\u00a0", "  ", "\u2009"))), text[:place] + "\u0301" + text[place:],
            text.replace("е", "ё", 1), text.replace("й", "и\u0306"), f"{text}.", f"{text}..", f"«{text}»", f" {text}", text.replace("..", "…"),
        ))

    _change_some_text(rng, change, holder)


def _hinted_option(rng: Random, kind: Kind, _raw: dict[str, Any], holder: list[Any]) -> None:
    item = holder[0]
    options = item[kind.choices]
    if rng.random() < 0.4:
        item[kind.choices] = options = [word.whole for word in rng.sample(words.WORDS, len(options))]
    at = rng.choice((item["key"], rng.randrange(len(options))))
    hint = rng.choice(HINTS)
    options[at] = hint.strip() + options[at] if hint.endswith(" ") else options[at] + hint


def _blanket_option(rng: Random, kind: Kind, _raw: dict[str, Any], holder: list[Any]) -> None:
    options = holder[0][kind.choices]
    options[rng.randrange(len(options))] = rng.choice(BLANKETS) + rng.choice(("", "", ".", "!"))


def _told_option(rng: Random, kind: Kind, _raw: dict[str, Any], holder: list[Any]) -> None:
    item = holder[0]
    count = len(item[kind.choices])
    chosen = rng.sample(words.WORDS, count)
    options = item[kind.choices] = [rng.choice((word.whole, word.whole, word.whole.upper(), word.before or "да")) for word in chosen]
    right, wrong = options[item["key"]], options[item["key"] - 1]
    item["q"] = rng.choice((
        f"Что значит слово {right}?", f"Что значит {right.upper()}?", f"Найдите слово: {right}, {wrong}.", f"{right} или {wrong}?", f"{right} — или нечто иное?",
        f"Чем {right}ский край славен?", f"Где {right}, там и праздник", f"«{right}» или «другое»?", f"«{right}», «другое»", f"{right} и {wrong} рядом", f"Слово {right}\u0301 здесь",
        f"Слово {right} и снова {right}; конец", f"то ли {right}, то ли нет", f"или же {right}", f"а/{right}", f"({right})", f"{right}", f"не{right} {right}", f"{wrong}", f"либо «{right}»",
    ))


def _formed_option(rng: Random, kind: Kind, _raw: dict[str, Any], holder: list[Any]) -> None:
    """Options that differ in form: length, a full stop, a gap."""
    item = holder[0]
    options = item[kind.choices] = [word.whole for word in rng.sample(words.WORDS, len(item[kind.choices]))]
    marked = rng.choice(({item["key"]}, set(range(len(options))) - {item["key"]}, {0}, {0, 1}))
    tail = rng.choice((".", "..", "…", "?..", " и т. д.", ". ", " и ещё много других слов", " и ещё много", " о" * rng.randint(5, 20), "_"))
    for at in marked:
        options[at] += tail


def _remark(rng: Random, kind: Kind, _raw: dict[str, Any], holder: list[Any]) -> None:
    text = holder[0][kind.text]
    remark = rng.choice(REMARKS)
    holder[0][kind.text] = rng.choice((text + remark, text + remark, remark.strip() + " " + text, remark.strip(), text + remark + "."))


def _told_key(rng: Random, _kind: Kind, _raw: dict[str, Any], holder: list[Any]) -> None:
    key = holder[0]["key"] = rng.choice(("три", "да", "мост", "Байкал", "3/4", "pH", "НН", "тридцать три", "2024"))
    holder[0]["q"] = rng.choice((
        f"Сколько будет {key}?", f"Что больше: {key} или сто?", f"{key}, сто", f"Запишите: {key}", f"{key.upper()}!", f"{key}ста", f"за{key}", f"«{key}» — это?", f"один;{key}", f"{key} / сто", f"{key}? {key}, да",
    ))


def _numbered_steps(rng: Random, _kind: Kind, _raw: dict[str, Any], holder: list[Any]) -> None:
    steps = holder[0]["steps"]
    numbering, first, by = rng.choice(NUMBERINGS), rng.choice((0, 1, 1, 1, 3, 8, 98)), rng.choice((1, 1, 1, 1, 2, 0, -1))
    for at, step in enumerate(steps):
        if rng.random() > 0.02:
            steps[at] = numbering.format(first + at * by) + step


def _slipped_pair(rng: Random, kind: Kind, _raw: dict[str, Any], holder: list[Any]) -> None:
    """A pair that expands but for a few edits, some of which make another form of the word."""
    item, word = holder[0], rng.choice([word for word in words.WORDS if len(word.whole) > 4])
    noun = rng.choice(("", "", " мост", " и щит", " в саду"))
    left, right = word.gapped + noun, word.whole + noun
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3))):
        side, at, sign = rng.random() < 0.5, rng.randrange(max(1, len(right) - 1)), rng.choice("аеёиоуыэюянтйАxь- .1\u0301")
        right = rng.choice((
            right[:at] + right[at + 1 :], right[:at] + sign + right[at:], right[:at] + sign + right[at + 1 :],
            right[:at] + right[at + 1 : at + 2] + right[at : at + 1] + right[at + 2 :], right[:-1], right[:-2], right + sign, right + "ми", right[:-1] + sign,
            right[:-2] + rng.choice(("ая", "ое", "ого", "ому", "ы", "ов")), right[:at] + ".." + right[at:],
        )) or right
        if side:
            left = rng.choice((left[:-1], left.replace("..", "", 1), left + sign, left.replace("а", "а\u0301"), left.upper(), left)) or left
    item[kind.text], item[kind.key] = rng.choice(((left, right), (left, right), (left, right), (right, left), (left, left)))


def _rival_pair(rng: Random, kind: Kind, raw: dict[str, Any], holder: list[Any]) -> None:
    """A pair that fits the sides of one before it."""
    others = [other for other in raw["data"] if isinstance(other, dict) and isinstance(other.get(kind.key), str)]
    if rng.random() < 0.5 or not others:
        one, other = rng.choice((("за..ка", "запинка"), ("..ка", "запинка"), ("за..", "заминка"), ("за..ка", "заминка"), ("за..нка", "запинка")))
        holder[0] = {kind.text: one, kind.key: other}
        raw["data"].append({kind.text: rng.choice(("за...инка", "зам..ка", "за..", "зап..", "…инка")), kind.key: rng.choice(("заминка", "запинка", "застрелка"))})
    else:
        holder[0][kind.key] = rng.choice(others)[kind.key] + rng.choice(("", "", " ", "\u00a0"))


def _long_text(rng: Random, kind: Kind, raw: dict[str, Any], holder: list[Any]) -> None:
    """A long text from a small stock, so that many resemble each other."""
    text = _blurred(rng, rng.choice(LONG_TEXTS))
    if isinstance(holder[0], str):
        holder[0] = text
    elif kind.text in holder[0]:
        holder[0][kind.text] = text
        same = [other for other in raw["data"] if isinstance(other, dict) and isinstance(other.get(kind.choices), list)]
        if kind.choices and same and rng.random() < 0.6:
            holder[0][kind.choices] = list(rng.choice(same)[kind.choices])
            if kind.form == "choice":
                holder[0]["key"] = 0


def _blurred(rng: Random, text: str) -> str:
    place = rng.randrange(len(text))
    return rng.choice((
        text, text, text + "?", text + ".", text.lower(), text.replace("ё", "е"), text.replace(",", ""), text[:place] + text[place + 1 :],
        text[:place] + "о" + text[place:], text.replace("2", "3"), text.replace("..", "…"), text.replace("маши", "мыши"), text.replace("ый", "ая"),
        text.replace("—", "-").replace("«", '"').replace("»", '"'), text.replace("-", "—") + "!", text.replace("; ", " "), text + "!", text + " сегодня",
    ))


def _reordered(rng: Random, kind: Kind, raw: dict[str, Any], holder: list[Any]) -> None:
    """An item that was there before, its choices in another order."""
    others = [other for other in raw["data"] if not read_item(bare_game(kind, raw), other, 0, 1).faults]
    if not others:
        return
    holder[0] = copy.deepcopy(rng.choice(others))
    entries = holder[0][kind.choices]
    kept = entries[holder[0]["key"]] if kind.form == "choice" else None
    rng.shuffle(entries)
    if kept is not None and rng.random() < 0.7:
        holder[0]["key"] = entries.index(kept)
    if rng.random() < 0.3:
        _change_some_text(rng, lambda text: _blurred(rng, text) if text else text, holder)


def _nearly(rng: Random, item: Any) -> Any:
    """The same item but for one small change of its text."""
    holder = [item]
    _change_some_text(rng, lambda text: _blurred(rng, text) if text else text, holder)
    return holder[0]


def _copy_across(rng: Random, games: dict[str, Any]) -> None:
    """One text in two games."""
    kinds = [KINDS[name] for name in games if KINDS[name].text is not None and KINDS[name].choices is None]
    if len(kinds) < 2:
        return
    one, other = rng.sample(kinds, 2)
    source, target = rng.choice(games[one.name]["data"]), rng.choice(games[other.name]["data"])
    if isinstance(source, dict) and isinstance(target, dict) and isinstance(source.get(one.text), str):
        target[other.text] = _blurred(rng, rng.choice(LONG_TEXTS)) if rng.random() < 0.3 else source[one.text]


def _spoil_shared(rng: Random, document: dict[str, Any]) -> None:
    """A label, a rule or the head with a doubtful text: the document is rejected, or it is not."""
    snippet = rng.choice((*FOREIGN_WORDS, *MARKUP, *PLACEHOLDERS, *CHARACTERS, "и" * 501, ""))
    games = document["games"]
    if "sort" in games and rng.random() < 0.5:
        games["sort"]["baskets"].append(f"Третья {snippet}" if rng.random() < 0.8 else snippet)
    elif "spotlight" in games and rng.random() < 0.7:
        games["spotlight"]["rule"] = _splice(rng, games["spotlight"]["rule"], snippet)
    else:
        document[rng.choice(("topic", "subject", "language", "teacher", "id"))] = f"{snippet} и далее"


_ANYWHERE = (
    _spliced_from(FOREIGN_WORDS), _spliced_from(MARKUP), _spliced_from(MARKUP), _spliced_from(PLACEHOLDERS), _spliced_from(PLACEHOLDERS),
    _spliced_from(CHARACTERS), _spliced_from(("о" * 400, "о" * 120, "о" * 501)), _look_alike, _respell, _long_text, _long_text,
)
_CHANGES: dict[str, tuple[Callable[..., None], ...]] = {
    "choice": _ANYWHERE + (_hinted_option,) * 5 + (_blanket_option,) * 2 + (_reordered,) * 2 + (_told_option,) * 3 + (_formed_option,) * 3,
    "label": _ANYWHERE + (_remark,) * 4,
    "partner": _ANYWHERE + (_slipped_pair,) * 6 + (_rival_pair,) * 2,
    "none": _ANYWHERE,
    "short": _ANYWHERE + (_told_key,) * 4,
    "steps": _ANYWHERE + (_numbered_steps,) * 4 + (_reordered,),
}
