"""What happens when a person decides?

It is on the record who decided what and why, the item and its package follow, one more round is
opened where that was the decision, and the author's keys stay what they were."""

import json
import threading
import unittest

import case
from cluster import Daemon, SqlError, wait_for

MEMORY = [f"memory/{i}" for i in range(10)]


def call(package, step, answer):
    return {"type": "call", "package": package, "step": step, "call": 1,
            "response": {"status": "ok", "http": 200, "body": answer}}


def memory_answer(i, a, b):
    return json.dumps({"answers": [{"i": i, "w": a, "ok": True, "answer": b, "relation": "other",
                                    "why": ""}]}, ensure_ascii=False)


def wheel(package):
    return {"format": "flagman.package/1", "id": package, "topic": "Н и НН", "language": "ru",
            "subject": "русский язык", "grade": 9, "teacher": "t-17",
            "games": {"wheel": {"data": ["племя..ик", "тума..ый"]}}}


class ReviewCase(case.DatabaseCase):
    """Each test has a copy of a database in which the n-nn run went through the daemon."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.finished = cls.cluster.make_database()
        packages = cls.n_nn.submit(cls.finished)
        with Daemon(cls.flagman, cls.finished.dsn("flagman_worker"), cls.n_nn.file) as daemon:
            cls.n_nn.settle(cls.finished, packages)
            daemon.terminate()
        # The same run, in which memory/0 and memory/1 are judged in a third and a fourth round.
        lines = cls.n_nn.file.read_text().splitlines()
        for step, answer in (("memory@3", memory_answer(0, "стекло", "стекольный")),
                             ("memory@4", memory_answer(1, "ветер", "ветровой"))):
            for solver in ("strict", "methodist"):
                lines.insert(-1, json.dumps(call("n-nn", f"solve/{solver}/{step}", answer)))
        cls.run_file = cls.flagman.folder / "more-rounds.run.jsonl"
        cls.run_file.write_text("".join(line + "\n" for line in lines))

    def setUp(self):
        self.database = self.cluster.make_database(template=self.finished.name)
        self.addCleanup(self.database.drop)

    def daemon(self):
        return Daemon(self.flagman, self.database.dsn("flagman_worker"), self.run_file)

    def resolve(self, item, *words, check=0):
        return self.run_flagman("review", "resolve", item, *words, check=check)

    def listed(self):
        return self.run_flagman("review", "list", check=0).stdout.splitlines()

    def keys(self):
        return self.database.rows("select *, ctid from flagman.author_key "
                                  "order by item, revision")

    def journal(self, package="n-nn"):
        shown = self.run_flagman("journal", "show", package, role="flagman_auditor", check=0)
        return [json.loads(line) for line in shown.stdout.splitlines()]

    def verify(self):
        self.run_flagman("journal", "verify", role="flagman_auditor", check=0)

    def item(self, item, package=1):
        """Its revision, outcome, route and reasons."""
        row, = self.database.rows(
            "select revision, outcome, route, array_to_string(reasons, ',') "
            f"from flagman.item_status where package_id = {package} and item = '{item}'")
        return row

    def wait_for_item(self, item, *expected):
        wait_for(lambda: self.item(item) == list(expected), f"{item} to be {expected}", 30)

    def wait_for_status(self, status, package=1):
        wait_for(lambda: self.database.status(package) == status,
                 f"package {package} to be {status}", 30)

    def untouched(self):
        """What no refused review may leave behind."""
        return self.database.rows(
            "select (select count(*) from flagman.inbox), (select count(*) from flagman.task), "
            "(select count(*) from flagman.journal), (select status from flagman.package)")


class ResolveTest(ReviewCase):
    def test_what_waits_for_a_person_is_listed_until_somebody_decides(self):
        self.assertEqual(self.listed(), [f"n-nn:{item}@1 no_valid_ballot" for item in MEMORY])
        self.resolve("n-nn:memory/3", "--accept", "--why", "checked")
        self.assertEqual([line.split("@")[0] for line in self.listed()],
                         [f"n-nn:{item}" for item in MEMORY if item != "memory/3"])

    def test_a_decision_is_journaled_and_the_item_follows(self):
        # The package stays rejected: pairs/2 is.
        rows = [("memory/0", "accept", ["1", "accepted", "operator", ""], "rejected"),
                ("memory/1", "reject", ["1", "rejected", "operator", "operator_decision"],
                 "rejected"),
                ("memory/2", "rebuild", ["1", "flagged", "operator", "operator_decision"],
                 "awaiting_rebuild")]
        self.assertTrue(rows)
        keys = self.keys()
        self.assertGreater(len(keys), 100)
        entries = len(self.journal())
        with self.daemon() as daemon:
            for item, act, expected, status in rows:
                with self.subTest(why=act):
                    why = f"прочитано «вслух», {act}\nдважды"
                    self.resolve(f"n-nn:{item}", f"--{act}", "--who", "Мария И.", "--why", why)
                    self.wait_for_item(item, *expected)
                    self.wait_for_status(status)
                    added = self.journal()[entries:]
                    entries += len(added)
                    self.assertEqual([entry["data"] for entry in added
                                      if entry["kind"] == "operator_decided"],
                                     [{"item": item, "act": act, "who": "Мария И.", "why": why}])
                    decided, = [entry["data"] for entry in added
                                if entry["kind"] == "item_decided"]
                    self.assertEqual([decided["item"], decided["outcome"], decided["route"]],
                                     [item, expected[1], "operator"])
                    self.assertEqual(self.keys(), keys)
                    self.verify()
            self.assertEqual(daemon.terminate(), 0)
        self.assertEqual(len(self.listed()), len(MEMORY) - len(rows))

    def test_a_decision_while_no_daemon_runs_waits_for_one(self):
        for item in MEMORY:
            self.resolve(f"n-nn:{item}", "--accept", "--why", "all right")
        self.assertEqual(self.listed(), [])
        self.assertEqual(self.item("memory/0")[1], "manual_review")
        with self.daemon() as daemon:
            for item in MEMORY:
                self.wait_for_item(item, "1", "accepted", "operator", "")
            daemon.terminate()
        self.assertEqual(self.database.status(1), "rejected")
        self.assertEqual(self.database.psql("select count(*) from flagman.task"), "0")
        self.verify()

    def test_who_decides_is_the_login_where_nobody_is_named(self):
        with self.daemon() as daemon:
            self.resolve("n-nn:memory/0", "--accept", "--why", "checked")
            self.wait_for_item("memory/0", "1", "accepted", "operator", "")
            daemon.terminate()
        data, = [entry["data"] for entry in self.journal() if entry["kind"] == "operator_decided"]
        self.assertTrue(data["who"])

    def test_the_story_tells_who_decided_and_why(self):
        with self.daemon() as daemon:
            for item, act in (("memory/0", "accept"), ("memory/1", "reject")):
                self.resolve(f"n-nn:{item}", f"--{act}", "--who", f"Who {act}s", "--why",
                             f"reason to {act}")
            self.wait_for_item("memory/0", "1", "accepted", "operator", "")
            self.wait_for_item("memory/1", "1", "rejected", "operator", "operator_decision")
            daemon.terminate()
        for item, act, other in (("memory/0", "accept", "reject"),
                                 ("memory/1", "reject", "accept")):
            with self.subTest(why=act):
                told = self.run_flagman("explain", "n-nn", item, check=0).stdout
                self.assertIn(f"Who {act}s", told)
                self.assertIn(f"reason to {act}", told)
                self.assertNotIn(f"reason to {other}", told)
                self.assertIn("«стеклянный»" if act == "accept" else "«ветреный»", told)

    def test_the_record_of_a_decision_cannot_be_turned(self):
        with self.daemon() as daemon:
            self.resolve("n-nn:memory/0", "--accept", "--who", "anna", "--why", "checked")
            self.wait_for_item("memory/0", "1", "accepted", "operator", "")
            daemon.terminate()
        rows = [("who", "update flagman.inbox set who = 'boris' where kind = 'review'"),
                ("why", "update flagman.inbox set why = 'no' where kind = 'review'"),
                ("the decision", "update flagman.inbox set decision = 'reject' "
                 "where kind = 'review'"),
                ("the row", "delete from flagman.inbox where kind = 'review'")]
        self.assertTrue(rows)
        self.database.psql("alter table flagman.inbox disable trigger all; "
                           "create table public.whole as select * from flagman.inbox")
        for why, statement in rows:
            with self.subTest(why=why):
                self.verify()
                self.database.psql(statement)
                done = self.run_flagman("journal", "verify", role="flagman_auditor")
                self.database.psql("delete from flagman.inbox; insert into flagman.inbox "
                                   "overriding system value select * from public.whole")
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertIn("memory/0", done.stdout)


class OneMoreRoundTest(ReviewCase):
    def deliver(self, item, text):
        """Answers the rebuild that is asked; gives its revision."""
        row, = self.database.rows("select id, item, revision, brief from flagman.rebuilds_open",
                                  "flagman_generator")
        number, asked, revision, brief = row
        self.assertEqual(asked, item)
        self.assertEqual(json.loads(brief)["revision"], int(revision))
        self.database.psql(f"select flagman.deliver_rebuild({number}, $i${text}$i$)",
                           "flagman_generator")
        return int(revision)

    def test_a_rebuild_opens_one_more_round_for_its_item_alone(self):
        keys = self.keys()
        others = self.database.rows("select * from flagman.item where not "
                                    "(kind = 'memory' and ordinal < 2) order by kind, ordinal")
        self.assertGreater(len(others), 90)
        # The revision of an item that is judged in round n is n, and two rounds are over.
        rows = [("memory/0", 3, '{"a": "стекло", "b": "стекольный"}', '"стекольный"'),
                ("memory/1", 4, '{"a": "ветер", "b": "ветровой"}', '"ветровой"')]
        self.assertTrue(rows)
        with self.daemon() as daemon:
            for item, revision, text, key in rows:
                with self.subTest(why=item):
                    self.resolve(f"n-nn:{item}", "--rebuild", "--why", "ask for a rarer word")
                    self.wait_for_status("awaiting_rebuild")
                    self.assertEqual(self.deliver(item, text), revision)
                    self.wait_for_item(item, str(revision), "accepted", "solvers", "")
                    self.wait_for_status("rejected")
                    self.assertEqual(self.database.psql(
                        f"select key from flagman.author_key where item = '{item}' "
                        f"and revision = {revision}"), key)
            self.assertEqual(daemon.terminate(), 0)
        self.assertEqual(len(self.keys()), len(keys) + len(rows))
        self.assertEqual([row for row in self.keys() if row in keys], keys)
        self.assertEqual(self.database.rows(
            "select * from flagman.item where not (kind = 'memory' and ordinal < 2) "
            "order by kind, ordinal"), others)
        self.verify()
        told = self.run_flagman("explain", "n-nn", "memory/0", check=0).stdout
        self.assertIn("ask for a rarer word", told)
        self.assertIn("«стекольный»", told)

    def test_a_revision_that_is_unsound_uses_up_the_round(self):
        with self.daemon() as daemon:
            self.resolve("n-nn:memory/0", "--rebuild", "--why", "once more")
            self.wait_for_status("awaiting_rebuild")
            self.deliver("memory/0", '{"a": "стекло"}')
            self.wait_for_item("memory/0", "3", "rejected", "structural",
                               "rounds_exhausted,missing_field")
            self.wait_for_status("rejected")
            daemon.terminate()
        self.verify()

    def test_the_other_items_can_be_decided_while_one_is_rebuilt(self):
        with self.daemon() as daemon:
            self.resolve("n-nn:memory/0", "--rebuild", "--why", "once more")
            self.wait_for_status("awaiting_rebuild")
            self.resolve("n-nn:memory/1", "--accept", "--why", "checked")
            self.wait_for_item("memory/1", "1", "accepted", "operator", "")
            self.wait_for_status("awaiting_rebuild")
            self.deliver("memory/0", '{"a": "стекло", "b": "стекольный"}')
            self.wait_for_item("memory/0", "3", "accepted", "solvers", "")
            self.wait_for_status("rejected")
            daemon.terminate()
        self.verify()


class PackageStatusTest(ReviewCase):
    """A package of two items, of which no solver ever said anything that counts."""

    BROKEN = "no JSON"

    def waiting(self, package):
        """Submits it and lets it come to a person; gives its number and the daemon's run."""
        lines = [{"type": "run", "format": "flagman.run/1", "flagman": "0.1.0",
                  "started_at": "2026-03-21T10:05:00Z", "policy": {}},
                 {"type": "package", "package": package, "body": wheel(package)}]
        for solver in ("strict", "methodist"):
            for number in (1, 2, 3):
                line = call(package, f"solve/{solver}/wheel@1", self.BROKEN)
                lines.append({**line, "call": number})
        for solver in ("strict", "methodist"):
            answers = [{"i": 0, "w": "румя..ый", "ok": True, "why": ""}]
            lines.append(call(package, f"solve/{solver}/wheel@2", json.dumps({"answers": answers})))
        lines.append({"type": "end"})
        run = self.flagman.folder / f"{package}.run.jsonl"
        run.write_text("".join(json.dumps(line) + "\n" for line in lines))
        body = json.dumps(wheel(package), ensure_ascii=False)
        number = int(self.database.psql(f"select flagman.submit($b${body}$b$::text, null, null)",
                                        "flagman_generator"))
        return number, run

    def test_the_package_follows_its_items(self):
        rows = [("both accepted", ["--accept", "--accept"], "accepted"),
                ("one rejected", ["--accept", "--reject"], "rejected"),
                ("one left", ["--accept"], "manual_review"),
                ("one rejected, one left", ["--reject"], "rejected"),
                ("one rebuilt", ["--rebuild", "--accept"], "awaiting_rebuild"),
                ("one rejected, one rebuilt", ["--reject", "--rebuild"], "awaiting_rebuild")]
        self.assertTrue(rows)
        for number, (why, acts, status) in enumerate(rows):
            with self.subTest(why=why):
                name = f"p-{number}"
                package, run = self.waiting(name)
                with Daemon(self.flagman, self.database.dsn("flagman_worker"), run) as daemon:
                    self.wait_for_status("manual_review", package)
                    for ordinal, act in enumerate(acts):
                        self.resolve(f"{name}:wheel/{ordinal}", act, "--why", "looked at it")
                    taken = ("select count(*) from flagman.inbox_taken "
                             f"where package_id = {package}")
                    wait_for(lambda: self.database.psql(taken) == str(len(acts)), "decisions")
                    self.wait_for_status(status, package)
                    daemon.terminate()
        self.verify()

    def test_what_a_person_accepted_comes_out_with_the_rebuilt_item(self):
        package, run = self.waiting("p")
        with Daemon(self.flagman, self.database.dsn("flagman_worker"), run) as daemon:
            self.wait_for_status("manual_review", package)
            self.resolve("p:wheel/1", "--accept", "--why", "checked")
            self.resolve("p:wheel/0", "--rebuild", "--why", "another word")
            self.wait_for_status("awaiting_rebuild", package)
            self.database.psql("select flagman.deliver_rebuild(id, '\"румя..ый\"') "
                               "from flagman.rebuilds_open", "flagman_generator")
            self.wait_for_status("accepted", package)
            daemon.terminate()
        result = json.loads(self.run_flagman("result", "p", check=0).stdout)
        self.assertEqual(result["games"]["wheel"]["data"], ["румя..ый", "тума..ый"])
        self.verify()

    def test_a_package_that_waits_for_a_person_can_be_cancelled(self):
        package, run = self.waiting("p")
        with Daemon(self.flagman, self.database.dsn("flagman_worker"), run) as daemon:
            self.wait_for_status("manual_review", package)
            self.run_flagman("cancel", "p", check=0)
            self.wait_for_status("cancelled", package)
            daemon.terminate()
        self.assertFalse([line for line in self.listed() if line.startswith("p:")])
        self.resolve("p:wheel/0", "--accept", "--why", "too late", check=1)
        self.verify()


class RefusalTest(ReviewCase):
    def test_wrong_usage_is_one_line_and_changes_nothing(self):
        rows = [
            ("no decision", ["n-nn:memory/0", "--why", "x"], 2),
            ("two decisions", ["n-nn:memory/0", "--accept", "--reject", "--why", "x"], 2),
            ("all decisions", ["n-nn:memory/0", "--accept", "--reject", "--rebuild", "--why", "x"],
             2),
            ("no reason", ["n-nn:memory/0", "--accept"], 2),
            ("an empty reason", ["n-nn:memory/0", "--accept", "--why", ""], 2),
            ("a blank reason", ["n-nn:memory/0", "--accept", "--why", " \t"], 2),
            ("no item's name", ["n-nn:memory", "--accept", "--why", "x"], 2),
            ("an item without a package", ["memory/0", "--accept", "--why", "x"], 2),
            ("an unknown package", ["other:memory/0", "--accept", "--why", "x"], 2),
            ("an unknown item", ["n-nn:memory/99", "--accept", "--why", "x"], 2),
            ("an unknown game", ["n-nn:chess/0", "--accept", "--why", "x"], 2),
            ("an accepted item", ["n-nn:sort/0", "--accept", "--why", "x"], 1),
            ("a rejected item", ["n-nn:pairs/2", "--rebuild", "--why", "x"], 1),
        ]
        self.assertTrue(rows)
        before = self.untouched()
        for why, words, code in rows:
            with self.subTest(why=why):
                done = self.resolve(*words, check=code)
                self.assertRegex(done.stderr, r"\Aflagman: [^\n]+\n\Z")
                self.assertEqual(done.stdout, "")
        self.assertEqual(self.untouched(), before)

    def test_an_item_is_decided_once(self):
        words = ("n-nn:memory/0", "--accept", "--why", "checked")
        self.resolve(*words)
        self.resolve(*words, check=1)  # while it waits to be taken in
        with self.daemon() as daemon:
            self.wait_for_item("memory/0", "1", "accepted", "operator", "")
            self.resolve(*words, check=1)
            self.resolve("n-nn:memory/0", "--reject", "--why", "no", check=1)
            daemon.terminate()
        self.assertEqual(self.item("memory/0"), ["1", "accepted", "operator", ""])
        self.assertEqual(sum(entry["kind"] == "operator_decided" for entry in self.journal()), 1)

    def test_of_many_at_the_same_time_one_decides(self):
        codes = []

        def decide(act):
            codes.append(self.run_flagman("review", "resolve", "n-nn:memory/0", act, "--why",
                                          "at once").returncode)
        people = [threading.Thread(target=decide, args=(act,))
                  for act in ("--accept", "--reject", "--rebuild", "--accept")]
        for person in people:
            person.start()
        for person in people:
            person.join()
        self.assertEqual(sorted(codes), [0, 1, 1, 1])
        self.assertEqual(self.database.psql("select count(*) from flagman.inbox "
                                            "where kind = 'review'"), "1")

    def test_only_who_may_review_can(self):
        for role in ("flagman_generator", "flagman_reader", "flagman_auditor"):
            with self.subTest(why=role):
                with self.assertRaises(SqlError) as raised:
                    self.database.psql(
                        "select flagman.review(1, 'memory/0', 'accept', 'me', 'why not')", role)
                self.assertEqual(raised.exception.state, "42501")


if __name__ == "__main__":
    case.main()
