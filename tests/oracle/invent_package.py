"""Invented packages: sound items of all ten kinds, and every structural fault (CONTRACTS §1, §5)."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from random import Random
from typing import Any

import texts
import words
from characters import characters
from kinds import KINDS, Kind
from package import FORMAT, Game, read_item
from words import Word

OPTION_MAX, TEXT_MAX = KINDS["quiz"].choice_characters_max, KINDS["quiz"].text_max
ITEMS_MAX, BASKETS_MAX = KINDS["quiz"].items_max, KINDS["sort"].labels_max
LABELS = ("Одна Н", "Две НН")
MORE_LABELS = ("Не знаю", "Без пропуска")
REPEATED_QUESTION = "Укажите слово с двумя буквами на месте пропуска."
RULES = ("Ловите слова с двумя буквами", "Ловите исключения:\nостальное пропускайте")
FAMILY = "👨\u200d👩\u200d👧"
FORBIDDEN = ("\u0000", "\u0007", "\t", "\u00ad", "\u200b", "\u202e", "\u200e", "\u2060", "\ufeff", "\ue000", "\ufdd0")


class ItemMaker:
    """Makes the items of one game; no text is given out twice."""

    def __init__(self, rng: Random, kind: Kind, raw_game: dict[str, Any]) -> None:
        self.rng, self.kind, self.raw_game = rng, kind, raw_game
        self.given: set[str] = set()
        self.repeat_question = kind.name == "quiz" and rng.random() < 0.5
        self.make: dict[str, Callable[[], Any]] = {
            "quiz": self.quiz, "sort": self.sort, "lie_detector": self.lie_detector,
            "spotlight": self.spotlight, "pairs": lambda: self.pair("left", "right"),
            "memory": lambda: self.pair("a", "b"), "wheel": self.phrase, "gap": self.gap,
            "order": self.order, "odd_one_out": self.odd_one_out,
        }

    def item(self) -> Any:
        return self.make[self.kind.name]()

    def quiz(self) -> dict[str, Any]:
        count = self.rng.randint(2, 6)
        options = [self.spelled(word.gapped) for word in self.rng.sample(words.WORDS, count)]
        if self.rng.random() < 0.05:
            options[0] = self.padded(options[0], OPTION_MAX)
        item: dict[str, Any] = {"q": self.question(), "options": options, "key": self.rng.randrange(count)}
        if len(options[item["key"]]) >= OPTION_MAX:
            item["key"] = count - 1  # a right option that is so much longer would give itself away
        if "fillings" in self.raw_game and self.rng.random() < 0.7:
            item["asks"] = self.rng.choice(self.raw_game["fillings"])
        return item

    def question(self) -> str:
        if self.repeat_question and self.rng.random() < 0.8:
            return REPEATED_QUESTION
        return self.own_question()

    def own_question(self) -> str:
        return self.fresh(lambda: self.rng.choice((
            f"Что подходит к слову «{self.noun()}» в значении «{self.noun()}»?",
            f"Какое слово стоит рядом со словом «{self.noun()}»\nв рассказе о слове «{self.noun()}»?",
            f"Выберите пару к слову «{self.noun()}», если речь про {self.noun()}?..",
        )))

    def sort(self) -> dict[str, Any]:
        text = self.phrase()
        return {"w": text, "key": self.rng.choice(self.raw_game["baskets"])}

    def lie_detector(self) -> dict[str, Any]:
        text = self.fresh(lambda: self.rng.choice((
            self.rng.choice(words.FACTS) + self.rng.choice((".", "", "!")),
            f"Слово «{self.rng.choice(words.WORDS).whole}» длиннее слова «{self.noun()}».",
            f"Буквы слова «{self.rng.choice(words.WORDS).whole}»\nвсе разные.",
        )))
        if self.rng.random() < 0.1:
            text = self.padded(text, TEXT_MAX)
        return {"s": text, "key": self.rng.choice(("truth", "lie"))}

    def spotlight(self) -> dict[str, Any]:
        return {"w": self.phrase(), "key": self.rng.choice(("catch", "skip"))}

    def pair(self, left: str, right: str) -> dict[str, Any]:
        """Half of the pairs expand; those that do not are far from it."""
        if self.rng.random() < 0.55:
            word, noun = self.rng.choice(words.WORDS), self.noun()
            one, other = f"{word.gapped} {noun}", f"{word.whole} {noun}"
            if self.rng.random() < 0.3:
                more = self.rng.choice(words.WORDS)
                one, other = f"{one} и {more.gapped}", f"{other} и {more.whole}"
            one, other = self.spelled(one), self.rng.choice((other, self.decomposed(other)))
        else:
            one, other = self.rng.choice(words.PARTNERS)
            one, other = self.rng.choice(((one, other), (f"{one}..", other)))
        if texts.fold(one) in self.given or texts.fold(other) in self.given:
            return self.pair(left, right)
        self.given |= {texts.fold(one), texts.fold(other)}
        return {left: one, right: other}

    def gap(self) -> dict[str, Any]:
        if self.rng.random() < 0.3:
            word = self.rng.choice([word for word in words.WORDS if word.filling])
            text = self.fresh(lambda: f"Вставьте буквы вместо точек: {self.spelled(self.another().gapped)}")
            return {"q": text, "key": word.filling}
        name, spellings = self.rng.choice(words.NUMBERS)
        tail = self.rng.choice(("", "?", ".", f" (пример про {self.noun()})"))
        text = self.fresh(lambda: f"{self.rng.choice(words.NUMBER_QUESTIONS)}{name}{tail} {self.mood()}".strip())
        item: dict[str, Any] = {"q": text, "key": self.rng.choice(spellings)}
        if self.rng.random() < 0.4:
            item["accept"] = self.rng.sample(spellings, self.rng.randint(0, 2))
        return item

    def order(self) -> dict[str, Any]:
        name, steps = self.rng.choice(words.SEQUENCES)
        count = self.rng.randint(2, len(steps))
        chosen = sorted(self.rng.sample(range(len(steps)), count))
        text = self.fresh(lambda: f"Расставьте по порядку: {name}. {self.mood()} {self.noun()}".strip())
        return {"q": text, "steps": [steps[place] for place in chosen]}

    def odd_one_out(self) -> dict[str, Any]:
        group, stranger = self.rng.sample(words.ODD_ONES, 2)
        entries = [*self.rng.sample(group, self.rng.randint(2, 4)), self.rng.choice(stranger)]
        self.rng.shuffle(entries)
        if texts.fold("; ".join(sorted(entries))) in self.given:
            return self.odd_one_out()
        self.given.add(texts.fold("; ".join(sorted(entries))))
        item: dict[str, Any] = {"words": entries, "key": self.rng.randrange(len(entries))}
        if self.rng.random() < 0.4:
            item["q"] = "Что здесь лишнее?"
        return item

    def phrase(self) -> str:
        def build() -> str:
            word = self.another()
            tail = self.rng.choice(("", f" {self.noun()}"))
            face = f" {FAMILY}" if self.rng.random() < 0.03 else ""
            return self.spelled(word.gapped) + tail + face

        return self.fresh(build)

    def another(self) -> Word:
        return self.rng.choice(words.WORDS)

    def noun(self) -> str:
        return self.rng.choice(words.NOUNS)

    def mood(self) -> str:
        return self.rng.choice(("Не спешите", "Подумайте", "Проверьте себя", "Вспомните урок", ""))

    def fresh(self, build: Callable[[], str]) -> str:
        for _ in range(200):
            text = build()
            if texts.fold(text) not in self.given:
                self.given.add(texts.fold(text))
                return text
        raise RuntimeError("the pool is too small")

    def spelled(self, text: str) -> str:
        """The same gaps in another spelling; underscores only where one gap stands."""
        spellings = ["..", "…", "...", "....", "……"] + (["_", "__"] if text.count("..") == 1 else [])
        return text.replace("..", self.rng.choice(spellings)) if self.rng.random() < 0.4 else text

    def padded(self, text: str, length: int) -> str:
        """Exactly as long as allowed, in characters that people see."""
        missing = length - characters(text)
        return text + self.decomposed((" и такой же тихий край" * length)[: missing - 1] + "й")

    def decomposed(self, text: str) -> str:
        return text.replace("й", "и\u0306") if self.rng.random() < 0.5 else text


def shared_part(rng: Random, kind: Kind) -> dict[str, Any]:
    """What the items of a game share, its `data` still empty."""
    raw: dict[str, Any] = {}
    if kind.name == "sort":
        raw["baskets"] = [*LABELS, *rng.sample(MORE_LABELS, rng.randint(0, 2))]
        if rng.random() < 0.6:
            raw["fillings"] = {LABELS[0]: "н", LABELS[1]: "нн"}
    if kind.name == "quiz" and rng.random() < 0.4:
        raw["fillings"] = ["н", "нн"]
    if kind.name == "spotlight":
        raw["rule"] = rng.choice(RULES)
    if rng.random() < 0.1:
        raw["note"] = "поле, которого никто не знает"
    raw["data"] = []
    return raw


def bare_game(kind: Kind, raw_game: dict[str, Any]) -> Game:
    labels = tuple(raw_game.get("baskets", kind.labels))
    return Game(kind, labels, raw_game.get("fillings"))


def spoil_item(rng: Random, kind: Kind, raw_game: dict[str, Any], item: Any) -> Any:
    """The item with exactly one code of structural fault."""
    game = bare_game(kind, raw_game)
    for _ in range(100):
        spoiled = rng.choice(_WAYS_TO_SPOIL)(rng, kind, copy.deepcopy(item))
        if len(read_item(game, spoiled, 0, 1).faults) == 1:
            return spoiled
    raise RuntimeError("nothing spoils this item")


def twin_of(rng: Random, kind: Kind, raw_game: dict[str, Any], item: Any, same_key: bool) -> Any:
    """The same item in another spelling, with the same key or a contradicting one."""
    twin = copy.deepcopy(item)
    if isinstance(twin, str):
        return _other_spelling(rng, twin)
    if kind.text in twin and not (kind.name == "quiz" or kind.name == "odd_one_out"):
        twin[kind.text] = _other_spelling(rng, twin[kind.text])
    if not same_key:
        _contradict(rng, kind, raw_game, twin)
    return twin


def spoil_document(rng: Random, document: dict[str, Any]) -> Any:
    """A body that is rejected whole."""
    return rng.choice(_WAYS_TO_SPOIL_ALL)(rng, copy.deepcopy(document))


def _other_spelling(rng: Random, text: str) -> str:
    changed = rng.choice((
        re.sub(r"\.{2,}", "…", text), text.replace(" ", "\u00a0"), text + " ", text.replace("й", "и\u0306"),
        text.replace("е", "ё", 1), text.replace("«", "„").replace("»", "“"),
    ))
    return changed


def _contradict(rng: Random, kind: Kind, raw_game: dict[str, Any], twin: dict[str, Any]) -> None:
    match kind.form:
        case "choice":
            count = len(twin[kind.choices])
            twin["key"] = (twin["key"] + rng.randrange(1, count)) % count
        case "label":
            labels = raw_game.get("baskets", kind.labels)
            twin["key"] = rng.choice([label for label in labels if label != twin["key"]])
        case "steps":
            twin["steps"] = twin["steps"][1:] + twin["steps"][:1]
        case _:
            twin[kind.key] = f"совсем другое: {rng.choice(words.NOUNS)}"


def _drop_field(rng: Random, kind: Kind, item: Any) -> Any:
    if isinstance(item, dict):
        item.pop(rng.choice(kind.required))
    return item


def _add_field(rng: Random, _kind: Kind, item: Any) -> Any:
    if isinstance(item, dict):
        item[rng.choice(("hint", "подсказка", "id", "level"))] = rng.choice((1, "да", None))
    return item


def _change_type(rng: Random, kind: Kind, item: Any) -> Any:
    strange = rng.choice((None, 7, 1.5, True, ["машинный"], []))
    if not isinstance(item, dict) or rng.random() < 0.15:
        return strange
    item[rng.choice([*kind.required, *(name for name in kind.optional if name in item)])] = strange
    return item


def _change_text(rng: Random, kind: Kind, item: Any) -> Any:
    change = rng.choice((_emptied, _lengthened, _forbidden))
    if isinstance(item, str):
        return change(rng, item)
    places = [name for name, value in item.items() if isinstance(value, str) and name != "key" and name != "asks"]
    if places and rng.random() < 0.6:
        place = rng.choice(places)
        item[place] = change(rng, item[place])
    elif kind.choices:
        item[kind.choices][rng.randrange(len(item[kind.choices]))] = change(rng, "кованый")
    elif kind.form == "short":
        item["key"] = change(rng, item["key"])
    return item


def _emptied(rng: Random, _text: str) -> str:
    return rng.choice(("", " ", "\u00a0 "))


def _lengthened(rng: Random, text: str) -> str:
    most = rng.choice((TEXT_MAX, 120))
    return (text + " " + "очень " * most)[: most + 1].rstrip() + "ы" * rng.choice((1, 2, 7))


def _forbidden(rng: Random, text: str) -> str:
    place = rng.randint(1, max(1, len(text) - 1))
    return text[:place] + rng.choice((*FORBIDDEN, "\n")) + text[place:]


def _move_key(rng: Random, kind: Kind, item: Any) -> Any:
    if kind.form == "choice":
        item["key"] = rng.choice((-1, len(item[kind.choices]), 99))
    elif kind.form == "label":
        item["key"] = rng.choice(("Две Н", "одна н", "TRUTH", "", "поймать"))
    return item


def _change_count(rng: Random, kind: Kind, item: Any) -> Any:
    if kind.choices:
        entries = item[kind.choices]
        few = entries[: kind.choices_min - 1]
        many = [word.whole for word in rng.sample(words.N_WORDS, kind.choices_max + 1)]
        item[kind.choices] = rng.choice((few, many))
        if kind.form == "choice":
            item["key"] = 0
    return item


def _repeat_choice(rng: Random, kind: Kind, item: Any) -> Any:
    if kind.choices:
        entries = item[kind.choices]
        entries[-1] = _other_spelling(rng, entries[0])
    return item


def _fill_the_gap(rng: Random, kind: Kind, item: Any) -> Any:
    if kind.form == "label":
        item[kind.text] = rng.choice(words.WORDS).whole
    elif kind.name == "quiz":
        item["options"] = [word.whole for word in rng.sample(words.WORDS, len(item["options"]))]
    return item


_WAYS_TO_SPOIL = (
    _drop_field, _add_field, _change_type, _change_text, _change_text, _change_text, _move_key,
    _change_count, _repeat_choice, _fill_the_gap,
)


def _not_json(rng: Random, document: dict[str, Any]) -> str:
    text = json.dumps(document, ensure_ascii=False)
    return rng.choice((
        text[:-1], text + text, text + " конец", "", "не JSON", text[:-1] + ',"weight":NaN}',
        text[:-1] + ',"grade":1,"grade":2}', text[:-1] + ',"emoji":"\\ud83e"}', text[:-1] + ",}",
        text[:-1] + ',"deep":' + "[" * 90 + "]" * 90 + "}", "\ufeff\ufeff" + text,
        text.replace('"', "'"), text[:-1] + ',"n":012}', text[:-1] + ',"s":"a\tb"}',
    ))


def _spoil_format(rng: Random, document: dict[str, Any]) -> Any:
    if rng.random() < 0.4:
        del document["format"]
    else:
        document["format"] = rng.choice(("flagman.package/2", "", "flagman.run/1"))
    return document


def _spoil_head(rng: Random, document: dict[str, Any]) -> Any:
    name, value = rng.choice((("topic", 7), ("grade", "9"), ("subject", ["русский"]), ("id", 5), ("teacher", False)))
    document[name] = value
    return document


def _spoil_games(rng: Random, document: dict[str, Any]) -> Any:
    document["games"] = rng.choice(({}, [], "quiz", None))
    if rng.random() < 0.2:
        del document["games"]
    return document


def _unknown_kind(_rng: Random, document: dict[str, Any]) -> Any:
    document["games"]["crossword"] = {"data": ["слово"]}
    return document


def _spoil_data(rng: Random, document: dict[str, Any]) -> Any:
    game = rng.choice(list(document["games"].values()))
    game["data"] = rng.choice(([], "машинный", {"0": "слово"}, ["слово"] * (ITEMS_MAX + 1)))
    if rng.random() < 0.2:
        del game["data"]
    return document


def _game_is_no_object(rng: Random, document: dict[str, Any]) -> Any:
    name = rng.choice(list(document["games"]))
    document["games"][name] = rng.choice((["слово"], "слово", 3))
    return document


def _spoil_baskets(rng: Random, document: dict[str, Any]) -> Any:
    game: dict[str, Any] = {"data": [{"w": "кова..ый", "key": "Одна Н"}]}
    baskets = rng.choice((
        None, [], ["Одна Н"], "Одна Н", [f"Корзина {mark}" for mark in "абвгдежз"[: BASKETS_MAX + 1]],
        ["Одна Н", ""], ["Одна Н", 2], ["Одна Н", "Одна\u00a0Н"], ["Одна Н", "Две\u200bНН"],
    ))
    if baskets is not None:
        game["baskets"] = baskets
    document["games"]["sort"] = game
    return document


_WAYS_TO_SPOIL_ALL = (
    _not_json, _not_json, _spoil_format, _spoil_format, _spoil_head, _spoil_games, _unknown_kind, _spoil_data,
    _game_is_no_object, _spoil_baskets,
)

ALL_KINDS = tuple(KINDS.values())
DOCUMENT_HEAD = {
    "format": FORMAT, "topic": "Н и НН в разных частях речи", "subject": "русский язык", "grade": 9,
    "language": "ru", "teacher": "t-17",
}
