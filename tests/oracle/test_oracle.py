"""Hand-made rows for the oracle itself: python3 -m unittest test_oracle (in this directory)."""

from __future__ import annotations

import json
import unittest
from collections.abc import Callable, Iterable
from fractions import Fraction

import texts
from almost import almost_expands
from alphabets import has_mixed_alphabet
from characters import has_forbidden_character
from check import check_bytes, check_document
from engine import Trace
from make_runs import invent_run
from kinds import KINDS
from package import FORMAT, Game, Rejected, parse_package, read_item
from markup import has_markup
from placeholder import has_placeholder
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


class OneText(unittest.TestCase):
    """What one text is found to be, and what only looks like it."""

    def tell_apart(self, look: Callable[[str], bool], guilty: Iterable[str], innocent: Iterable[str]) -> None:
        for text in guilty:
            self.assertTrue(look(text), text)
        for text in innocent:
            self.assertFalse(look(text), text)

    def test_mixed_alphabet(self) -> None:
        self.tell_apart(
            has_mixed_alphabet,
            ("cтеклянный", "Hочь", "Рython", "кoт", "АBВ", "слово cлово", "молокó", "Οкно"),
            ("SMSка", "XIXв", "Fтр", "Яndex", "Python и Питон", "Wi-Fi-сеть", "x²со", "A4", "СССР", "ёлка", ""),
        )

    def test_markup(self) -> None:
        self.tell_apart(
            has_markup,
            ("<b>да</b>", "<br/>", "<BR>", "x<b>y</b>", "</p>", '<a href="/x">', "<input disabled>", "<!-- -->", "<!DOCTYPE x>",
             "&nbsp;", "&laquo;да&raquo;", "&#1084;", "&#x43c;", "&apos;", "&nbsp да", "**важно**", "*слово*", "(*а*)",
             "`код`", "```", "~~нет~~", "# Итог", "да\n## Итог", "* пункт", "![](x)", "[сайт](https://x.ru)", "| --- |", "[/B]"),
            ("a<b>c", "если a<b и c>d", "<слово>", "< b >", "AT&T", "R&B", "&bogus;", "&nbspace", "5 * 3 * 2", "2*3*4", "*5*", "2**3",
             "слово*", "``", "~5~", "#1", "а # б", "[1](2)", "[1]", "---", "* 5", "a*b*c"),
        )

    def test_placeholder(self) -> None:
        self.tell_apart(
            has_placeholder,
            ("{{name}}", "{% if %}", "<% x %>", "[[пропуск-7]]", "<<name>>", "${x}", "#{имя}", "{имя}", "{id}", "{1}", "{}", "%имя%", "%s",
             "%1$s", "@@имя@@", "##тема##", "__NAME__", "<имя героя>", "<name 1>", "[вставьте слово]", "[СЛОВО]", "[слово 1]", "TODO:",
             "Lorem Ipsum", "[object Object]"),
            ("[[1]]", "«<<»", "{ab}", "{а}", "{x + y}", "множество {1}", "A = {1}", "{123}", "50%от 30%", "100%", "5%s", "%день", "<names>",
             "x<имя>", "<abcd>", "[слово]", "[вставьтесь]", "[1]", "МЕТОДTODO", "todo", "____"),
        )

    def test_forbidden_character(self) -> None:
        self.tell_apart(
            lambda text: has_forbidden_character(text, False),
            ("\u200b", "\u00ad", "\u200d", "\u034f", "\u1160", "\u3164", "а\ufe0f", "\ufe00", "\U000e0101", "а\U000e0067", "\n", "\u2028",
             "\u202e", "\ue000", "\ufdd0", "👨\u200d"),
            ("👨\u200d👩\u200d👧", "👩🏽\u200d🚀", "❤\ufe0f", "1\ufe0f\u20e3", "#\ufe0f", "🏴\U000e0067\U000e0062\U000e007f", "а\u0301", "«»—…\u00a0"),
        )
        for line_break in "\n\r\u2028\u2029":
            self.assertFalse(has_forbidden_character(line_break, True))

    def test_unseen_text_is_empty(self) -> None:
        self.assertEqual(texts.tidy("\u1160\u3164 \u200b"), "")
        self.assertEqual(texts.tidy("❤\ufe0f а\ufe0f"), "❤\ufe0f а")


class Pairs(unittest.TestCase):
    def test_almost_expands(self) -> None:
        for left, right, want in (
            ("маши..ая вязка", "машынная вязка", True),  # one letter replaced
            ("маши..ая вязка", "машиннаявязка", True),
            ("обл..стной центр", "областной цетнр", True),  # neighbours swapped
            ("маши..ая", "маши..ая", True),  # never filled
            ("машинная вязка", "маши..ую вязка", True),  # the gap may stand on the right
            ("стекля..а ваза", "стеклянная ваза", True),
            ("маши..ая вязка", "машинная вязка", False),  # expands
            ("за..ок у реки", "за\u0301мок у реки", False),  # expands but for the stress
            ("стекля..ый", "стеклянная", False),  # another form
            ("меч..", "мяч", False),  # of three letters nothing is left
            ("столица Франции..", "Париж", False),
            ("машинная", "машиная", False),  # no gap
        ):
            self.assertEqual(almost_expands(left, right, 6), want, (left, right))


class Checks(unittest.TestCase):
    """Codes of whole documents, as `flagman check` gives them."""

    def codes(self, game: str, *items: object, **shared: object) -> list[str]:
        document = {"format": FORMAT, "games": {game: {"data": list(items), **shared}}}
        found = check_document(document)
        self.assertEqual(check_bytes(json.dumps(document).encode()), found)
        return [f"{finding.item.split('/')[1]} {finding.code}" if finding.item else finding.code for finding in found]

    def test_giveaway_of_options(self) -> None:
        for change, want in (
            ({}, False),
            ({"options": ["ваза", "мост (верно)", "клин"]}, True), ({"options": ["ваза", "мост", "клин — неверно"]}, True),
            ({"options": ["ваза", "мост (верность)", "клин"]}, False), ({"options": ["ваза ✓", "мост", "клин"]}, True),
            ({"options": ["ваза ✓", "мост ✓", "клин ✓"]}, False), ({"options": ["ваза", "мост *", "клин"]}, True),
            ({"options": ["ваза", "мост", "клин *"]}, False), ({"options": ["ваза", "мост", "Все перечисленные."]}, True),
            ({"options": ["ваза", "мост", "все реки"]}, False), ({"options": ["ваза", "мост", "ни один из вариантов"]}, True),
            ({"options": ["а", "б", "верны а) и б)"]}, True), ({"options": ["ваза", "мост", "none of the above"]}, True),
            ({"q": "Через что ведёт мост?"}, True), ({"q": "Где мостовая?"}, False), ({"q": "Где мост, а где клин?"}, False),
            ({"q": "Мост или плот?"}, False), ({"q": "Где мост и клин?"}, False),
            ({"options": ["ваза", "мост..", "клин"]}, True), ({"options": ["ваза..", "мост", "клин.."]}, True),
            ({"options": ["ваза", "мост.", "клин"]}, True), ({"options": ["ваза", "мост.."], "key": 1}, False),
            ({"options": ["ваза", "мост через широкую реку", "клин"]}, False),
            ({"options": ["ваза", "мост через очень широкую реку", "клин"]}, True),
        ):
            item = {"q": "Что это?", "options": ["ваза", "мост", "клин"], "key": 1} | change
            self.assertEqual(self.codes("quiz", item), ["0 giveaway"] if want else [], change)
        self.assertEqual(self.codes("odd_one_out", {"words": ["волк", "лиса", "стол"], "key": 2, "q": "Куда делся стол?"}), ["0 giveaway"])

    def test_giveaway_of_labels(self) -> None:
        for text, want in (
            ("Кит дышит лёгкими (правда)", True), ("Кит дышит лёгкими [Ложь].", True), ("Кит (млекопитающее) (ложь)", True),
            ("Кит дышит лёгкими (осень)", False), ("(ложь)", False), ("Правда ли, что кит дышит?", False),
        ):
            self.assertEqual(self.codes("lie_detector", {"s": text, "key": "lie"}), ["0 giveaway"] if want else [], text)
        shared = {"baskets": ["Имя", "Глагол"], "fillings": {"Имя": "ё", "Глагол": "е"}}
        for text, want in (
            ("п..ть (е)", True), ("п..ть (ё)", False), ("п..ть — глагол", True), ("п..ть глаголом", False), ("п..ть: имя, глагол", False),
        ):
            self.assertEqual(self.codes("sort", {"w": text, "key": "Глагол"}, **shared), ["0 giveaway"] if want else [], text)

    def test_giveaway_of_short_answers_and_steps(self) -> None:
        for question, want in (("Запишите: три", True), ("Три или пять?", False), ("Один, три, пять", False), ("Запишите тринадцать", False)):
            self.assertEqual(self.codes("gap", {"q": question, "key": "три"}), ["0 giveaway"] if want else [], question)
        for steps, want in (
            (["1. семя", "2. плод"], True), (["Шаг 3: семя", "шаг 4: плод"], True), (["2) семя", "1) плод"], False),
            (["1. семя", "плод"], False), (["1 семя", "2 плода"], False),
        ):
            self.assertEqual(self.codes("order", {"q": "Как?", "steps": steps}), ["0 giveaway"] if want else [], steps)

    def test_relations(self) -> None:
        pairs = [{"left": "за..ка", "right": "запинка"}, {"left": "за..нка", "right": "заминка"}]
        self.assertEqual(self.codes("pairs", *pairs), ["0 ambiguous_pair", "1 ambiguous_pair"])
        self.assertEqual(self.codes("pairs", pairs[0], {"left": "..минка", "right": "заминка"}), [])
        self.assertEqual(self.codes("memory", {"a": "большой", "b": "огромный"}, {"a": "немалый", "b": "огромный\u00a0"}),
                         ["0 ambiguous_pair", "1 ambiguous_pair"])
        quiz = {"q": "Что это?", "options": ["ваза", "мост", "клин"], "key": 1}
        self.assertEqual(self.codes("quiz", quiz, quiz | {"options": ["мост", "клин", "ваза"], "key": 0}), ["1 duplicate_item"])
        self.assertEqual(self.codes("quiz", quiz, quiz | {"options": ["мост", "клин", "лес"], "key": 0}), [])
        self.assertEqual(self.codes("wheel", "ёлка", "елка", "ёлки"), ["1 duplicate_item"])
        self.assertEqual(self.codes("spotlight", {"w": "ёж", "key": "catch"}, {"w": "еж", "key": "skip"}, {"w": "еж", "key": "skip"}),
                         ["0 contradictory_keys", "1 contradictory_keys", "2 duplicate_item", "2 contradictory_keys"])

    def test_near_duplicates(self) -> None:
        text = "Летом на опушке леса у старой мельницы дети собирали спелую землянику, а утром {} ушли за 5 км"
        first = text.format("они")
        for other, want in (
            (text.format("оне"), True), (first.replace("5", "6"), False), (first.replace(",", ""), False), (first.upper(), False),
            (first.replace("ле", "ли"), True), (first.replace("дети", "внуки"), False), (first.replace("землянику", "землян..ку"), False), ("Летом", False),
        ):
            self.assertEqual(self.codes("wheel", first, other), ["1 near_duplicate_item"] if want else [], other)
        other_game = {"format": FORMAT, "games": {"wheel": {"data": [first]}, "lie_detector": {"data": [{"s": first, "key": "lie"}]}}}
        self.assertEqual([finding.item for finding in check_document(other_game)], ["lie_detector/0"])

    def test_shared_texts_and_head(self) -> None:
        item = {"w": "ёж", "key": "Звери"}
        self.assertEqual(self.codes("sort", item, baskets=["Звери", "<b>Птицы</b>"]), ["markup"])
        self.assertEqual(self.codes("spotlight", {"w": "ёж", "key": "catch"}, rule="Ловите {name}"), ["placeholder"])
        for topic, want in (("Н <b>и</b> НН", []), ("и" * 501, ["too_long"]), ("Н\u200b", ["forbidden_character"])):
            found = check_document({"format": FORMAT, "topic": topic, "games": {"wheel": {"data": ["ёж"]}}})
            self.assertEqual([finding.code for finding in found], want)

    def test_what_is_too_long_is_judged_no_further(self) -> None:
        self.assertEqual(self.codes("wheel", "<b>" + "и" * 500), ["0 too_long"])


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
