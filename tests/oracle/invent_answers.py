"""Invented answers of solvers and arbiter, good and bad (CONTRACTS §3, §4).

Every step has a mood: most are answered at once, some after a refused reply,
some never. What a solver thinks of an item depends on the item's revision
alone, so a second ask gives the same opinion in another wrapping.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import texts
import words
from engine import Policy, Question, candidate_text
from package import Game, Item

Answer = dict[str, Any]
Response = dict[str, Any]

STANCES = ("agree", "agree", "agree", "agree", "agree", "split", "split", "against", "one_unsound",
           "all_unsound", "against_unsound", "mixed_relation")
RULINGS = ("uphold", "uphold", "uphold", "disagree", "unstable", "none", "half_none", "contradict",
           "contradict_once", "names_both")
MOODS = ("fine",) * 40 + ("bumpy",) * 9 + ("failing", "unreachable", "mixed_failure")
BACKSLASH_U = "\\u"


class Answers:
    """Invents the responses to one run's questions."""

    def __init__(self, rng: Random, policy: Policy, trouble: float, calm: bool) -> None:
        self.rng, self.policy, self.trouble = rng, policy, trouble
        # In a calm run nearly all goes well, so that whole packages are accepted.
        self.moods_drawn = MOODS[:42] if calm else MOODS
        self.stances = STANCES[:1] * 40 + STANCES if calm else STANCES
        self.moods: dict[tuple[str, str], str] = {}
        self.opinions: dict[tuple[Any, ...], Any] = {}
        self.left_behind: set[tuple[str, str, int]] = set()  # flagged, never built anew

    def respond(self, question: Question, call: int) -> Response | None:
        mood = self._mood(question)
        if mood == "missing" or (mood == "missing_later" and call > 1):
            return None
        if mood == "unreachable":
            return self._silence()
        if mood == "mixed_failure":
            return self._silence() if call == 2 else self._unusable(question)
        if mood in ("failing", "missing_later") or (mood == "bumpy" and self.rng.random() < 0.6 and call < 3):
            return self._unusable(question) if self.rng.random() < 0.85 else self._silence()
        return _ok(self._wrapped(self._fitting(question)))

    def _mood(self, question: Question) -> str:
        place = (question.package, question.step)
        if place not in self.moods:
            mood = self.rng.choice(self.moods_drawn)
            if self.rng.random() < self.trouble:
                mood = self.rng.choice(("missing", "missing", "missing_later"))
            self.moods[place] = mood
        return self.moods[place]

    def _opinion(self, *about: Any, of: Callable[[], Any]) -> Any:
        if about not in self.opinions:
            self.opinions[about] = of()
        return self.opinions[about]

    # What is said

    def _fitting(self, question: Question) -> Any:
        if question.is_hearing:
            return self._ruling(question)
        answers = [self._ballot(question, ordinal) for ordinal in question.items]
        answers += [self._ballot(question, ordinal) for ordinal in self._settled(question)]
        if self.rng.random() < 0.2:
            self.rng.shuffle(answers)
        return {"answers": answers}

    def _settled(self, question: Question) -> list[int]:
        """Now and then an answer about an item that an earlier round has settled."""
        round_number = int(question.step.split("@")[1].split("#")[0])
        game = question.game
        settled = [
            item.ordinal
            for item in game.items
            if item.revision < round_number and game.echo_of(item.ordinal) and not item.faults
            and (question.package, game.kind.name, item.ordinal) not in self.left_behind
        ]
        return self.rng.sample(settled, min(len(settled), 2)) if self.rng.random() < 0.25 else []

    def _ballot(self, question: Question, ordinal: int) -> Answer:
        game, item = question.game, question.game.items[ordinal]
        solver = self.policy.solvers.index(question.step.split("/")[1])
        about = (question.package, game.kind.name, ordinal, item.revision)
        stance = self._opinion("stance", about, of=lambda: self.rng.choice(self.stances))
        odd = self._opinion("odd", about, of=lambda: self.rng.randrange(len(self.policy.solvers)))
        against = stance in ("against", "against_unsound") or (stance == "split" and solver == odd)
        unsound = stance in ("all_unsound", "against_unsound") or (stance == "one_unsound" and solver == odd)
        answer: Answer = {"i": ordinal, "w": self._echo(game, ordinal), "ok": not unsound}
        if game.kind.form == "none":
            answer["ok"] = not (unsound or against)
        else:
            pick = self._opinion("answer", about, solver, of=lambda: self._answer(game, item, against, about))
            answer["answer"] = pick
        if game.kind.is_pair:
            answer["relation"] = self._relation(game, item, stance, solver == odd, about)
        answer["why"] = self.rng.choice(("", "Так по правилу.", "Смотрите «…» в учебнике { } [ ]"))
        return answer

    def _answer(self, game: Game, item: Item, against: bool, about: tuple[Any, ...]) -> Any:
        if not against:
            return self._as_author(game, item)
        # The same wrong answer for most, so that solvers can agree against the author.
        return self._opinion("wrong", about, self.rng.random() < 0.25, of=lambda: self._wrong(game, item))

    def _as_author(self, game: Game, item: Item) -> Any:
        if isinstance(item.author, tuple):
            return [self._retyped(step) for step in item.author]
        right = str(item.author)
        if game.kind.form == "short":
            spellings = next((forms for _, forms in words.NUMBERS if right in forms), (right,))
            return self.rng.choice((right, *item.accept, *spellings))
        return self._retyped(right)

    def _wrong(self, game: Game, item: Item) -> Any:
        match game.kind.form:
            case "steps":
                steps = list(item.choices)
                return self.rng.choice((steps[::-1], steps[1:] + steps[:1]))
            case "short":
                return self.rng.choice((*words.WRONG_NUMBERS, "н н", "ь"))
            case "label":
                others = [label for label in game.labels if label != item.author]
            case "partner":
                others = [other.key for other in game.items if not other.faults and other.key != item.author]
            case _:
                others = [choice for choice in item.choices if choice != item.author]
        return self.rng.choice(others or [str(item.author)])

    def _relation(self, game: Game, item: Item, stance: str, odd: bool, about: tuple[Any, ...]) -> str:
        true = texts.expands(str(item.text), str(item.author), self.policy.gap_max)
        lies = self._opinion("relation", about, of=lambda: self.rng.random() < 0.15)
        called = true != lies
        if stance == "mixed_relation" and odd:
            called = not called
        return "expansion" if called else "other"

    def _ruling(self, question: Question) -> Answer:
        game, ordinal = question.game, question.items[0]
        item = game.items[ordinal]
        about = (question.package, game.kind.name, ordinal, item.revision)
        way = self._opinion("ruling", about, of=lambda: self.rng.choice(RULINGS))
        first = question.step.endswith("/ab")
        author = "sound" if game.kind.form == "none" else candidate_text(item.author)
        others = [one for one in question.candidates if texts.tidy(one) != texts.tidy(author)] or [author]
        other = self._opinion("other", about, of=lambda: self.rng.choice(others))
        choice: str | None = author
        if way == "disagree" or (way == "unstable" and first):
            choice = other
        elif way == "none" or (way == "half_none" and not first):
            choice = None
        why = self._why(game, item, way, author, other, first)
        shown = choice if choice is None else self._retyped(choice)
        return {"i": ordinal, "w": self._echo(game, ordinal), "why": why, "choice": shown}

    def _why(self, game: Game, item: Item, way: str, author: str, other: str, first: bool) -> str:
        if way == "contradict" or (way == "contradict_once" and first):
            named = self.rng.choice([other, other.upper(), *game.filling_of(item, other)])
            return f"Правильный ответ: {named}, остальное неверно."
        if way == "names_both":
            return f"Не {other}, а {author}."
        return self.rng.choice((
            "", "По правилу.", f"Верно: {author}!", f"Не {other}ами и не аб{other}, это видно.",
            *(f"Пишем «{word}»." for word in game.filling_of(item, author)),
        ))

    def _echo(self, game: Game, ordinal: int) -> str:
        return self._retyped(game.echo_of(ordinal) or "", gaps=True)

    def _retyped(self, text: str, gaps: bool = False) -> str:
        """The same text to `tidy`, typed in another way."""
        if self.rng.random() < 0.75:
            return text
        ways: list[Callable[[str], str]] = [
            lambda t: t.replace(" ", "\u00a0"), lambda t: t + "\n", lambda t: "  " + t,
            lambda t: t.replace("й", "и\u0306"), lambda t: t.replace(" ", " \u2009"),
            lambda t: t[:2] + "\u00ad" + t[2:], lambda t: t + "\u200b",
        ]
        if gaps:
            ways += [lambda t: texts.GAP.sub("…", t), lambda t: texts.GAP.sub("_____", t),
                     lambda t: texts.GAP.sub("......", t)]
        changed = self.rng.choice(ways)(text)
        return changed if texts.tidy(changed) == texts.tidy(text) else text

    # How it is wrapped

    def _wrapped(self, value: Any) -> str:
        plain = json.dumps(value, ensure_ascii=self.rng.random() < 0.15)
        pretty = json.dumps(value, ensure_ascii=False, indent=1)
        return self.rng.choice((
            plain, plain, plain, plain, pretty, "\ufeff" + plain, f"\n {plain} \r\n\t",
            f"```json\n{pretty}\n```", f"```\n{plain}\n```\n", f"Вот ответ:\n```json\n{plain}\n```\nГотово [1]}}.",
            f"\ufeff```JSON\r\n{plain}\r\n```\r\n", f"````\n{plain}\n``` конец", f"Думаю…\n\n```json5 x\n{pretty}\n````",
        ))

    # What cannot be used

    def _silence(self) -> Response:
        return self.rng.choice((
            {"status": "timeout", "http": 0, "body": ""},
            {"status": "error", "http": 500, "body": "Internal Server Error"},
            {"status": "error", "http": 429, "body": '{"error":"slow down"}'},
        ))

    def _unusable(self, question: Question) -> Response:
        good = self._fitting(question)
        ways = [lambda: self._broken_text(good)]
        if question.is_hearing:
            ways += [lambda: self._plain(_ruling_shape(self.rng, good)), lambda: self._plain(self._ruling_content(good))]
        else:
            ways += [
                lambda: self._plain(self._sheet_shape(question, good)),
                lambda: self._plain(self._sheet_content(question, good)),
                lambda: self._plain(self._sheet_content(question, good)),
            ]
        ways.append(lambda: self.rng.choice((
            {"status": "refused", "http": 200, "body": json.dumps(good)},
            {"status": "truncated", "http": 200, "body": json.dumps(good)[:-9]},
            {"status": "refused", "http": 200, "body": ""}, _ok(""), _ok(" \n"), _ok("\ufeff"),
        )))
        return self.rng.choice(ways)()

    def _plain(self, value: Any) -> Response:
        return _ok(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))

    def _broken_text(self, value: Any) -> Response:
        text = json.dumps(value, ensure_ascii=False)
        return _ok(self.rng.choice((
            text[:-1], text[:-1] + ",}", text + text, text + " Готово.", "Ответ: " + text, text.replace('"', "'"),
            text[:-1] + ',"n":NaN}', text[:-1] + f',"s":"{BACKSLASH_U}d83d"}}', "{" + text[1:-1] + "," + text[1:],
            f"```json\n{text}", f"Шаблон {{}}:\n```json\n{text}\n```", f"```json\n{text}\n```\nили {{\"i\":1}}",
            f" ```json\n{text}\n ```", "Простите, не могу.", f"```json\n```\n{text}", text[:-1] + ',"d":' + "[" * 80 + "]" * 80 + "}",
            text.replace(": ", " = ", 1), "// ответ\n" + text, f"```\n{text}\n{text}\n```", "```\n\n```",
        )))

    def _sheet_shape(self, question: Question, reply: Answer) -> Any:
        answers = reply["answers"]
        one = self.rng.choice(answers)
        match self.rng.randrange(12):
            case 0:
                del one[self.rng.choice(list(one))]
            case 1:
                one[self.rng.choice(("confidence", "key", "Answer"))] = 1
            case 2:
                one["i"] = self.rng.choice((str(one["i"]), float(one["i"]), None, True, [one["i"]]))
            case 3:
                one["ok"] = self.rng.choice(("true", 1, None))
            case 4:
                one["w"] = self.rng.choice((None, 5, [one["w"]]))
            case 5:
                one["answer"] = self.rng.choice((None, 1, {"text": "н"}, [["н"]], [1]))
            case 6:
                one["why"] = self.rng.choice((None, ["так"], 0))
            case 7:
                return answers
            case 8:
                return {"answers": {str(answer["i"]): answer for answer in answers}}
            case 9:
                return {"answers": answers, "comment": ""}
            case 10:
                text = json.dumps(reply, ensure_ascii=False)
                return text.replace(f'"i": {one["i"]},', f'"i": {one["i"]}e0,', 1)
            case _:
                one["relation"] = 1 if question.game.kind.is_pair else "other"
        return reply

    def _sheet_content(self, question: Question, reply: Answer) -> Any:
        game, answers = question.game, reply["answers"]
        asked = [answer for answer in answers if answer["i"] in question.items]
        one = self.rng.choice(asked)
        match self.rng.randrange(8):
            case 0:
                answers.remove(one)
            case 1:
                answers.append(dict(one))
            case 2:
                answers.append(one | {"i": self.rng.choice((len(game.items), -1, 999, 10**15))})
            case 3 if len(asked) > 1:
                first, second = self.rng.sample(asked, 2)
                first["w"], second["w"] = second["w"], first["w"]
            case 3 | 4:
                one["w"] = self.rng.choice((
                    texts.GAP.sub("нн", texts.tidy(one["w"])) + "!", one["w"].upper() + "?", "", "карма..ый",
                    one["w"].replace("а", "а\u0301", 1) + ".",
                ))
            case 5 if game.kind.is_pair:
                one["relation"] = self.rng.choice(("maybe", "Expansion", ""))
            case _:
                self._leave_domain(game, one)
        return reply

    def _leave_domain(self, game: Game, answer: Answer) -> None:
        given = answer.get("answer")
        if isinstance(given, list):
            answer["answer"] = self.rng.choice((given[1:], given + given[:1], given[:1] * len(given), [*given[:-1], "обед"]))
        elif isinstance(given, str) and game.kind.form != "short":
            answer["answer"] = self.rng.choice((given + ".", given.upper() + "!", "не знаю", "", "0"))
        else:
            answer["w"] = answer["w"] + " и ещё"

    def _ruling_content(self, reply: Answer) -> Answer:
        match self.rng.randrange(4):
            case 0:
                reply["i"] = self.rng.choice((reply["i"] + 50, -1))
            case 1:
                reply["w"] = self.rng.choice(("", "другое слово", reply["w"] + "?"))
            case _:
                reply["choice"] = self.rng.choice(("", "ни один", str(reply["choice"]) + "!", "null"))
        return reply


def _ruling_shape(rng: Random, reply: Answer) -> Any:
    match rng.randrange(6):
        case 0:
            del reply[rng.choice(list(reply))]
        case 1:
            reply["verdict"] = "uphold"
        case 2:
            reply["choice"] = rng.choice((0, [reply["choice"]], False))
        case 3:
            reply["i"] = rng.choice((str(reply["i"]), float(reply["i"])))
        case 4:
            reply["why"] = rng.choice((None, []))
        case _:
            return [reply]
    return reply


def _ok(body: str) -> Response:
    return {"status": "ok", "http": 200, "body": body}
