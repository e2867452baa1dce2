"""Hand-made rows for the oracle itself: python3 -m unittest test_oracle (in this directory)."""

from __future__ import annotations

import json
import unittest
from fractions import Fraction

import texts
from engine import Trace
from make_runs import invent_run
from kinds import KINDS
from package import Game, Rejected, parse_package, read_item
from replay_oracle import Run, Unusable, lines_of, parse_policy, parse_run, replay
from reply import Refused, read_ballots


class Texts(unittest.TestCase):
    def test_tidy(self) -> None:
        for raw, want in (
            ("орли…ый  взор\n", "орли..ый взор"),
            ("орли....ый", "орли..ый"),
            ("меч__ и щит", "меч.. и щит"),
            ("Что?.. Где.", "Что?.. Где."),
            ("краи\u0306", "край"),
            ("ю\u200bн\u00adый", "юный"),
            ("👨\u200d👩", "👨\u200d👩"),
            ("мои", "мои"),
            ("a.\u00ad.b", "a..b"),
        ):
            self.assertEqual(texts.tidy(raw), want)

    def test_gap(self) -> None:
        self.assertTrue(texts.has_gap("..делать"))
        self.assertFalse(texts.has_gap("Что?..."))
        self.assertFalse(texts.has_gap("Точка."))

    def test_pair_expansion(self) -> None:
        for left, right, want in (
            ("стекля..а ваза", "стеклянная ваза", False),
            ("обл..стной центр", "областной центр", True),
            ("журавли..ый клин (осень) [1]", "журавлиный клин (осень) [1]", True),
            ("серебря..ый и деревя..ый", "серебряный и деревянный", True),
            ("маши..ая", "машинная деревянная", False),
            ("ране..ый боец", "ране47%ый боец", False),
            ("чудес..ый край", "чудесныи\u0306 краи\u0306", True),
            ("ветре..ый\u00a0день", "ветреный день", True),
            ("а" * 60000 + "..ый", "а" * 60000 + "н" * 9 + "ый", False),
            ("меч..", "меч", True),
            ("зв..т", "звони\u0301т", True),
            ("а..я", "абвгдежзя", False),
            ("меч", "меч", False),
            ("меч..", "меч..", False),
        ):
            self.assertEqual(texts.expands(left, right, 6), want, (left[:40], right[:40]))

    def test_fold(self) -> None:
        for one, other, same in (
            ("гусиный", "гусиный ", True), ("ёлка", "елка", True), ("мой", "мои", False),
            ("кто-то", "кто\u2011то", True), ("Том & Джерри", "Том &amp; Джерри", True),
            ("звОнит", "звонИт", False), ("«да»", '"да"', True), ("cок", "сок", True),
        ):
            self.assertEqual(texts.fold(one) == texts.fold(other), same, (one, other))

    def test_numbers(self) -> None:
        for text, want in (
            ("0,75", Fraction(3, 4)), ("75 %", Fraction(3, 4)), ("6 / 8", Fraction(3, 4)),
            ("−2", Fraction(-2)), ("1\u00a0000", Fraction(1000)), ("1 000,5", Fraction(2001, 2)),
            ("10 00", None), ("1 1/2", None), ("1e3", None), ("1/0", None), ("5.", None), (",5", None),
            ("- 2", None), ("1/2%", None), ("½", None), ("-0", Fraction(0)),
        ):
            self.assertEqual(texts.exact_number(text), want, text)

    def test_whole_words(self) -> None:
        self.assertTrue(texts.contains_words("Верно: НН.", "нн"))
        self.assertFalse(texts.contains_words("длинный", "нн"))
        self.assertFalse(texts.contains_words("за\u0301мок", "за"))

    def test_filled_words(self) -> None:
        self.assertEqual(texts.filled_words("наша маши…ая вязка", "нн"), ["машинная"])


class Packages(unittest.TestCase):
    def test_item_faults(self) -> None:
        quiz = Game(KINDS["quiz"], (), None)
        for change, want in (
            ({}, ()), ({"key": 3}, ("key_outside_domain",)), ({"key": 2**64}, ("key_outside_domain",)),
            ({"key": [0]}, ("wrong_type",)), ({"key": True}, ("wrong_type",)), ({"hint": 1}, ("unknown_field",)),
            ({"options": ["а", "", "б"]}, ("empty_text",)), ({"options": ["а", "ё", "е"]}, ("duplicate_option",)),
            ({"options": ["а"], "key": 0}, ("too_few",)), ({"q": "и" * 501}, ("too_long",)),
            ({"q": "и\u0306" * 500}, ()), ({"q": "а\nб"}, ()), ({"q": "а\tб"}, ("forbidden_character",)),
            ({"options": ["а", "б" * 121, "в"]}, ("too_long",)), ({"options": ["а\nа", "б"]}, ("forbidden_character",)),
        ):
            item = {"q": "Где?", "options": ["а", "б", "в"], "key": 1} | change
            self.assertEqual(read_item(quiz, item, 0, 1).faults, want, change)

    def test_document_faults(self) -> None:
        for body, want in (
            ('{"format":"flagman.package/1","games":{"wheel":{"data":["а"]}}}{}', "bad_json"),
            ({"format": "flagman.package/1", "games": {}}, "too_few"),
            ({"format": "flagman.package/2", "games": {"wheel": {"data": ["а"]}}}, "wrong_format"),
            ({"format": "flagman.package/1", "games": {"sort": {"data": [1]}}}, "missing_field"),
        ):
            self.assertEqual(parse_package(body), Rejected((want,)))


class Replies(unittest.TestCase):
    def read(self, body: str, game: Game | None = None) -> str:
        if game is None:
            game = Game(KINDS["spotlight"], ("catch", "skip"), None)
            game.items = [read_item(game, {"w": w, "key": "catch"}, i, 1) for i, w in enumerate(("ю..ый", "за\u0301мок"))]
        try:
            read_ballots({"status": "ok", "body": body}, game, range(len(game.items)))
        except Refused as refused:
            return refused.reason
        return "read"

    def test_reasons(self) -> None:
        def sheet(*changes: dict[str, object]) -> str:
            good = [
                {"i": 0, "w": "ю…ый", "ok": True, "answer": "catch", "why": ""},
                {"i": 1, "w": "за\u0301мок\n", "ok": False, "answer": "skip", "why": ""},
            ]
            return json.dumps({"answers": [one | change for one, change in zip(good, changes)]})

        good = sheet({}, {})
        for body, want in (
            (good, "read"), ("\ufeff```json\n" + good + "\n```", "read"), ("Вот:\n```\n" + good + "\n``` всё", "read"),
            ("Вот: " + good, "not_json"), ("{}\n```\n" + good + "\n```", "not_json"), ("```\n" + good, "not_json"),
            (" ", "empty"), ("[]", "wrong_shape"), (sheet({}), "incomplete"), (sheet({}, {"i": 0}), "duplicate_index"),
            (sheet({}, {"i": 2}), "unknown_index"), (sheet({}, {"w": "замо\u0301к"}), "echo_mismatch"),
            (sheet({}, {"answer": "Catch"}), "outside_domain"), (sheet({}, {"i": 1.0}), "wrong_shape"),
            (sheet({}, {"ok": 1}), "wrong_shape"), (sheet({"i": 7}, {"ok": 1}), "wrong_shape"),
            (good[:-1] + "," + good[1:], "not_json"),
        ):
            self.assertEqual(self.read(body), want, body)


class Runs(unittest.TestCase):
    def test_unusable(self) -> None:
        head = '{"type":"run","format":"flagman.run/1","policy":{}}'
        package = '{"type":"package","package":"p","body":""}'
        for lines in (
            [head, package], [head, package, package, '{"type":"end"}'], [head, "", '{"type":"end"}'],
            [package, '{"type":"end"}'], [head.replace("{}", '{"luck":1}'), '{"type":"end"}'],
            [head.replace("{}", '{"solvers":["one"]}'), '{"type":"end"}'], [head, '{"type":"end","end":1}'],
        ):
            with self.assertRaises(Unusable):
                parse_run("\n".join(lines))

    def decide(self, answers: list[str], rulings: list[tuple[str | None, str]]) -> tuple[str, tuple[str, ...]]:
        """One sorted word, two solvers, maybe both orders of a hearing."""
        game = {"baskets": ["Одна Н", "Две НН"], "fillings": {"Одна Н": "н", "Две НН": "нн"},
                "data": [{"w": "маши…ый", "key": "Две НН"}]}
        run = Run(parse_policy({}), {"p": {"format": "flagman.package/1", "games": {"sort": game}}})
        for solver, answer in zip(("strict", "methodist"), answers):
            reply = {"answers": [{"i": 0, "w": "маши..ый", "ok": True, "answer": answer, "why": ""}]}
            run.calls["p", f"solve/{solver}/sort@1", 1] = {"status": "ok", "body": json.dumps(reply)}
        for order, (choice, why) in zip(("ab", "ba"), rulings):
            reply = {"i": 0, "w": "маши..ый", "why": why, "choice": choice}
            run.calls["p", f"arbiter/sort/0@1/{order}", 1] = {"status": "ok", "body": json.dumps(reply)}
        (record,) = replay(run, Trace())
        return record.items[0].final.outcome, record.items[0].final.reasons

    def test_decisions(self) -> None:
        one, two = "Одна Н", "Две НН"
        for answers, rulings, want in (
            ([two, two], [], ("accepted", ())),
            ([two, one], [(two, ""), (two, "")], ("accepted", ())),
            ([one, one], [(two, ""), (two, "")], ("accepted", ())),
            ([two, one], [(one, ""), (one, "")], ("flagged", ("arbiter_disagrees", "solvers_disagree"))),
            ([two, one], [(two, ""), (one, "")], ("flagged", ("arbiter_unstable", "solvers_disagree"))),
            ([two, one], [(two, ""), (None, "")], ("flagged", ("arbiter_unstable", "solvers_disagree"))),
            ([two, one], [(None, ""), (None, "")], ("flagged", ("arbiter_none", "solvers_disagree"))),
            ([two, one], [(two, "пишем «машиный»"), (two, "")], ("flagged", ("arbiter_contradicts_itself", "solvers_disagree"))),
            ([two, one], [(two, "не машиный, а машинный"), (two, "")], ("accepted", ())),
            ([two, one], [(two, "")], ("not_recorded", ("solvers_disagree",))),
            ([two], [], ("not_recorded", ())),
        ):
            self.assertEqual(self.decide(answers, rulings), want, (answers, rulings))

    def test_what_was_invented_is_replayed(self) -> None:
        for seed in range(40):
            text, inventor = invent_run(f"test-{seed}", unclear=False)
            try:
                run = parse_run(text)
            except Unusable:
                continue
            invented = [line for record in inventor.records for line in lines_of(record)]
            replayed = [line for record in replay(run, Trace()) for line in lines_of(record)]
            self.assertEqual(replayed, invented)


if __name__ == "__main__":
    unittest.main()
