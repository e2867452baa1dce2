"""What goes in, and what comes out?

A package is one package however often it is sent, whatever was sent is kept and settled, who asks
for a rebuild is answered once, and the finished package has every byte that its author wrote."""

import json
import re
import subprocess
import unittest

import case
from cluster import Daemon, RecordedRun, SqlError, wait_for

FLAGGED = '{ "key":"skip", "w" : "шерстя\\u2026ой" }'
REBUILT = '\ufeff{"w":"овся…ый",\n  "key" :"catch"}'
SECOND = '{"w":"каме…ый","key":"skip"}'
SECOND_REBUILT = '{"key":"skip","w":"тума…ый"}'

# The flagged items' texts stand elsewhere too, and nothing is as a JSON writer would have it: the
# order, blanks, escapes, numbers, a second object of the same shape, and an end of many lines.
WRITTEN = """
{ "draft":{"games": {"spotlight" : {"data" :[%(second)s,%(flagged)s,
    {"w":"\\"data\\":[ \\ud83d\\ude00"}]}}},
\t"teacher" :"t-17", "id": "small","language":"ru","grade":9 , "subject":"русский \\u044fзык",
  "topic":"Н и НН \\/ \\"data\\": [{]", "extra":[1.50e+1,-0,1E30,null , "\\u0000"],
  "format":"flagman.package/1"
  ,"games":{
    "wheel":{"data":[ "племя..ик" ,"тума..ый"]},
    "spotlight":{ "data" : [ {"w":"мыши…ый","key":"catch"}
        ,%(second)s , %(flagged)s
      ] ,"rule":"Ловите «data»: слова с одной Н"}}
}


"""
BODY = WRITTEN % {"second": SECOND, "flagged": FLAGGED}


def reply(*answers):
    return json.dumps({"answers": [
        {"i": i, "w": w, "ok": ok, "why": "", **({"answer": answer} if answer else {})}
        for i, w, ok, answer in answers]}, ensure_ascii=False)


WORDS = [(0, "мыши…ый", True, "catch"), (1, "каме…ый", False, "skip"),
         (2, "шерстя…ой", False, "skip")]
STEPS = {
    "wheel@1": reply((0, "племя..ик", True, None), (1, "тума..ый", True, None)),
    "spotlight@1": reply(*WORDS),
    "spotlight@2": reply((1, "тума…ый", True, "skip"), (2, "овся…ый", True, "catch")),
}


def write_run(file, package, body, steps):
    """A recorded run in which both solvers say the same."""
    lines = [{"type": "run", "format": "flagman.run/1", "flagman": "0.1.0",
              "started_at": "2026-03-21T10:05:00Z", "policy": {"solvers": ["strict", "methodist"]}},
             {"type": "package", "package": package, "body": body}]
    for step, answer in steps.items():
        for solver in ("strict", "methodist"):
            lines.append({"type": "call", "package": package, "step": f"solve/{solver}/{step}",
                          "call": 1, "response": {"status": "ok", "http": 200, "body": answer}})
    lines.append({"type": "end"})
    file.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
    return file


class PackageCase(case.DatabaseCase):
    def setUp(self):
        super().setUp()
        self.small = write_run(self.flagman.folder / "small.run.jsonl", "small", BODY, STEPS)

    def daemon(self, run=None):
        return Daemon(self.flagman, self.database.dsn("flagman_worker"), run or self.small)

    def generator(self, sql):
        return self.database.psql(sql, "flagman_generator")

    def refused(self, sql, state):
        with self.assertRaises(SqlError) as raised:
            self.generator(sql)
        self.assertEqual(raised.exception.state, state, raised.exception)

    def refused_command(self, *words, check=1):
        done = self.run_flagman(*words, check=check)
        self.assertRegex(done.stderr, r"\Aflagman: [^\n]+\n\Z")
        self.assertEqual(done.stdout, "")

    def submit(self, body, teacher="null", key="null"):
        body = body if isinstance(body, bytes) else body.encode()
        return int(self.generator(f"select flagman.submit('\\x{body.hex()}'::bytea, "
                                  f"{teacher}, {key})"))

    def submit_text(self, body, teacher="null"):
        return int(self.generator(f"select flagman.submit($b${body}$b$::text, {teacher}, null)"))

    def body(self, package):
        return bytes.fromhex(self.database.psql(
            f"select encode(body, 'hex') from flagman.package_body where package_id = {package}"))

    def wait_for_status(self, package, status):
        def came():
            now = self.database.status(package)
            self.assertIn(now, ("queued", "running", "awaiting_rebuild", status))
            return now == status
        wait_for(came, f"package {package} to be {status}", 30)

    def open_rebuilds(self):
        """The numbers of the rebuilds that are asked, by item."""
        rows = self.database.rows("select item, id from flagman.rebuilds_open",
                                  "flagman_generator")
        return {item: int(number) for item, number in rows}

    def deliver(self, number, text):
        self.generator(f"select flagman.deliver_rebuild({number}, $i${text}$i$)")

    def finish_small(self):
        """Brings the small package to its end; gives its number."""
        package = self.submit_text(BODY)
        with self.daemon() as daemon:
            self.wait_for_status(package, "awaiting_rebuild")
            rebuilds = self.open_rebuilds()
            self.deliver(rebuilds["spotlight/1"], SECOND_REBUILT)
            self.deliver(rebuilds["spotlight/2"], REBUILT)
            self.wait_for_status(package, "accepted")
            self.assertEqual(daemon.terminate(), 0)
        return package

    def verify(self):
        self.run_flagman("journal", "verify", role="flagman_auditor", check=0)


class SubmitTest(PackageCase):
    def test_the_same_package_sent_again_is_the_same_package(self):
        package = self.submit(BODY)
        self.assertEqual(self.submit(BODY), package)
        self.assertEqual(self.submit_text(BODY), package)
        self.assertEqual(self.submit(BODY, "'t-17'", "'small'"), package)
        self.assertEqual(self.database.psql("select count(*) from flagman.package"), "1")
        self.assertEqual(self.database.psql("select count(*) from flagman.task"), "1")
        self.assertEqual(self.body(package), BODY.encode())

    def test_the_key_may_be_an_argument_where_the_body_has_none(self):
        body = '{"format":"flagman.package/1"}'
        first = self.submit(body, key="'k-1'")
        self.assertEqual(self.submit(body, key="'k-1'"), first)
        self.assertNotEqual(self.submit(body, key="'k-2'"), first)
        # Without any key nothing says that it is the same one.
        self.assertNotEqual(self.submit(body), self.submit(body))

    def test_the_command_says_whether_the_package_is_new(self):
        file = self.flagman.folder / "package.json"
        file.write_text(BODY)
        self.assertEqual(self.run_flagman("submit", str(file), check=0).stdout, "1 new\n")
        self.assertEqual(self.run_flagman("submit", str(file), check=0).stdout, "1 known\n")
        self.assertEqual(self.body(1), BODY.encode())

    def test_another_body_under_the_same_key_is_an_error(self):
        package = self.submit(BODY)
        file = self.flagman.folder / "package.json"
        rows = [("another topic", BODY.replace("Н и НН", "Н или НН")),
                ("one blank more", BODY + " "), ("a mark at the beginning", "\ufeff" + BODY)]
        self.assertTrue(rows)
        for why, body in rows:
            with self.subTest(why=why):
                self.assertNotEqual(body, BODY)
                self.refused(f"select flagman.submit($b${body}$b$::text, null, null)", "23505")
                file.write_text(body)
                self.refused_command("submit", str(file))
        self.assertEqual(self.database.psql("select count(*) from flagman.package"), "1")
        self.assertEqual(self.body(package), BODY.encode())

    def test_an_argument_that_differs_from_the_body_is_an_error(self):
        body = f"$b${BODY}$b$::text"
        file = self.flagman.folder / "package.json"
        file.write_text(BODY)
        self.refused(f"select flagman.submit({body}, 't-18', null)", "22023")
        self.refused(f"select flagman.submit({body}, null, 'other')", "22023")
        self.refused_command("submit", str(file), "--teacher", "t-18")
        self.assertEqual(self.database.psql("select count(*) from flagman.package"), "0")
        self.run_flagman("submit", str(file), "--teacher", "t-17", check=0)

    def test_one_refused_file_does_not_hold_up_the_others(self):
        files = []
        for number, body in enumerate((BODY, BODY + " ", "[1]")):
            files.append(self.flagman.folder / f"package-{number}.json")
            files[-1].write_text(body)
        done = self.run_flagman("submit", *map(str, files), check=1)
        self.assertRegex(done.stdout, r"\A1 new\n\d+ new\n\Z")
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertEqual(self.database.psql("select count(*) from flagman.package"), "2")


def wheel(item, **fields):
    fields = {"format": "flagman.package/1", "topic": "т", "subject": "с", "grade": 9,
              "language": "ru", "teacher": "t", **fields}
    head = json.dumps(fields, ensure_ascii=False)[:-1]
    return (head + ', "games": {"wheel": {"data": ["%s"]}}}' % item).encode()


class NoPackageTest(PackageCase):
    # Why, the bytes, and the code that says what is wrong.
    BODIES = [
        ("empty", b"", "bad_json"),
        ("a NUL alone", b"\0", "bad_json"),
        ("no UTF-8", b'\xff\xfe{"a": "\xc3\x28"}\0', "bad_json"),
        ("a byte order mark alone", b"\xef\xbb\xbf", "bad_json"),
        ("a backslash alone", b"\\", "bad_json"),
        ("an array", b"[1]", "wrong_type"),
        ("nothing", b"null", "wrong_type"),
        ("a bare object", b"{}", "missing_field"),
        ("deep arrays", b"[" * 1000 + b"]" * 1000, "bad_json"),
        ("deep objects", b'{"a":' * 1000 + b"1" + b"}" * 1000, "bad_json"),
        ("deep without an end", b'{"games":' * 1000, "bad_json"),
        ("a name twice", wheel("а..б").replace(b'"topic"', b'"games":{},"topic"'), "bad_json"),
        ("two documents", wheel("а..б") * 2, "bad_json"),
        ("a NUL behind the end", wheel("а..б") + b"\0", "bad_json"),
        ("a NUL inside a text", wheel("а\0..б"), "bad_json"),
        ("a lone surrogate in an item", wheel("а\\ud800..б"), "bad_json"),
        ("a lone low surrogate in an item", wheel("а\\\\\\udc00..б"), "bad_json"),
        ("an escaped NUL in the id", wheel("а..б", id="i\0d"), "forbidden_character"),
        ("an escaped NUL in the teacher", wheel("а..б", teacher="\0"), "forbidden_character"),
        ("an unknown game", wheel("а..б").replace(b"wheel", b"whale"), "unknown_field"),
        ("a format of another time", wheel("а..б", format="flagman.package/9"), "wrong_format"),
    ]

    def reasons(self, package):
        return self.database.psql("select array_to_string(reasons, ',') from "
                                  f"flagman.package_status where id = {package}",
                                  "flagman_generator").split(",")

    def test_whatever_is_no_package_is_kept_and_rejected(self):
        self.assertTrue(self.BODIES)
        packages = [self.submit(body) for _, body, _ in self.BODIES]
        self.assertEqual(len(set(packages)), len(packages))
        with self.daemon() as daemon:
            for package, (why, body, code) in zip(packages, self.BODIES):
                with self.subTest(why=why):
                    self.wait_for_status(package, "rejected")
                    self.assertIn(code, self.reasons(package))
                    self.assertEqual(self.body(package), body)
            self.assertEqual(daemon.terminate(), 0)
        self.assertEqual(self.database.psql("select count(*) from flagman.task"), "0")
        self.verify()

    def test_a_forbidden_character_flags_its_item_and_takes_the_ordinary_way(self):
        rows = [("an escaped NUL", "а\\u0000..б"), ("a NUL behind backslashes", "а\\\\\\u0000..б"),
                ("an escaped direction mark", "а\\u202e..б")]
        self.assertTrue(rows)
        packages = [self.submit(wheel(item)) for _, item in rows]
        with self.daemon() as daemon:
            for package, (why, item) in zip(packages, rows):
                with self.subTest(why=why):
                    self.wait_for_status(package, "awaiting_rebuild")
                    self.assertEqual(self.body(package), wheel(item))
                    number, brief = self.database.rows(
                        f"select id, brief from flagman.rebuilds_open where package = {package}",
                        "flagman_generator")[0]
                    self.assertIn("forbidden_character", brief)
                    self.assertEqual(json.loads(brief)["current"], json.loads(f'"{item}"'))
                    # The same again uses up the rounds.
                    self.deliver(number, f'"{item}"')
                    self.wait_for_status(package, "rejected")
                    self.assertEqual(self.database.rows(
                        "select revision, outcome, route, array_to_string(reasons, ',') "
                        f"from flagman.item_status where package_id = {package}"),
                        [["2", "rejected", "structural", "rounds_exhausted,forbidden_character"]])
            self.assertEqual(daemon.terminate(), 0)
        self.verify()

    def test_a_delivery_that_is_no_item_takes_the_ordinary_way(self):
        rows = [("empty", ""), ("no JSON", "{"), ("another type", "[[1]]"), ("deep", "[" * 1000),
                ("a lone surrogate", '"\\ud800"')]
        self.assertTrue(rows)
        packages = [self.submit(wheel("а\\u202e..б")) for _ in rows]
        with self.daemon() as daemon:
            for package, (why, text) in zip(packages, rows):
                with self.subTest(why=why):
                    self.wait_for_status(package, "awaiting_rebuild")
                    number = self.generator("select id from flagman.rebuilds_open "
                                            f"where package = {package}")
                    self.deliver(number, text)
                    self.wait_for_status(package, "rejected")
                    revision, reason = self.database.rows(
                        "select revision, reasons[1] from flagman.item_status "
                        f"where package_id = {package}")[0]
                    self.assertEqual((revision, reason), ("2", "rounds_exhausted"))
            self.assertEqual(daemon.terminate(), 0)
        self.verify()


class ResultTest(PackageCase):
    def result(self, package):
        return bytes.fromhex(self.generator(
            f"select encode(convert_to(flagman.package_result({package}), 'UTF8'), 'hex')"))

    def test_a_result_is_the_authors_text_with_the_revisions_in_place(self):
        package = self.finish_small()
        before, behind = BODY.rsplit(FLAGGED, 1)
        before, between = before.rsplit(SECOND, 1)
        expected = before + SECOND_REBUILT + between + REBUILT.removeprefix("\ufeff") + behind
        got = self.result(package).decode()
        self.assertEqual(got, expected)
        printed = self.run_flagman("result", "small", check=0).stdout
        self.assertEqual(printed, got + "\n")
        file = self.flagman.folder / "result.json"
        file.write_text(printed)
        self.assertEqual(self.run_flagman("check", "--json", str(file), check=0).stdout, "")
        self.verify()

    def test_a_package_without_a_rebuild_comes_out_as_it_went_in(self):
        body = '\r\n{"id":"plain",' + wheel("племя\\u002e.ик").decode()[1:] + "\t\n"
        steps = {"wheel@1": reply((0, "племя..ик", True, None))}
        run = write_run(self.flagman.folder / "plain.run.jsonl", "plain", body, steps)
        package = self.submit_text(body)
        with self.daemon(run) as daemon:
            self.wait_for_status(package, "accepted")
            daemon.terminate()
        self.assertEqual(self.result(package), body.encode())

    def test_the_smaller_recorded_run_gives_a_sound_package(self):
        run = RecordedRun(case.RUNS / "accepted.run.jsonl")
        package, = run.submit(self.database)
        with self.daemon(run.file) as daemon:
            run.settle(self.database, [package])
            daemon.terminate()
        self.assertEqual(self.database.status(package), "accepted")
        expected = json.loads(self.body(package))
        expected["games"]["spotlight"]["data"][2] = run.revisions["n-nn-small", "spotlight/2", 2]
        self.assertEqual(json.loads(self.result(package)), expected)

    def test_there_is_no_result_before_the_package_is_accepted(self):
        package = self.submit_text(BODY)
        self.refused(f"select flagman.package_result({package})", "55000")
        self.refused_command("result", "small")
        with self.daemon() as daemon:
            self.wait_for_status(package, "awaiting_rebuild")
            self.refused(f"select flagman.package_result({package})", "55000")
            self.refused_command("result", "small")
            daemon.terminate()
        self.refused("select flagman.package_result(99)", "P0002")
        self.refused_command("result", "99", check=2)


class RebuildTest(PackageCase):
    def wait_for_rebuilds(self):
        package = self.submit_text(BODY)
        with self.daemon() as daemon:
            self.wait_for_status(package, "awaiting_rebuild")
            self.assertEqual(daemon.terminate(), 0)
        rebuilds = self.open_rebuilds()
        self.assertEqual(sorted(rebuilds), ["spotlight/1", "spotlight/2"])
        return package, rebuilds

    def test_a_brief_says_what_to_build_anew(self):
        self.wait_for_rebuilds()
        brief = json.loads(self.generator(
            "select brief from flagman.rebuilds_open where item = 'spotlight/2'"))
        instruction = brief.pop("instruction")
        self.assertTrue(instruction)
        self.assertEqual(brief, {
            "format": "flagman.rebuild/1", "package": "small", "item": "spotlight/2",
            "revision": 2, "kind": "spotlight", "topic": 'Н и НН / "data": [{]',
            "subject": "русский язык", "grade": 9, "language": "ru",
            "game": {"rule": "Ловите «data»: слова с одной Н"}, "current": json.loads(FLAGGED),
            "neighbours": ["мыши…ый", "каме…ый"], "findings": []})

    def test_a_rebuild_is_delivered_once(self):
        package, rebuilds = self.wait_for_rebuilds()
        number = rebuilds["spotlight/1"]
        again = f"select flagman.deliver_rebuild({number}, '{SECOND}')"
        self.deliver(number, SECOND_REBUILT)
        self.assertEqual(list(self.open_rebuilds()), ["spotlight/2"])
        self.refused(again, "23505")  # while it waits to be taken in
        with self.daemon() as daemon:
            wait_for(lambda: self.database.psql("select count(*) from flagman.inbox_taken") == "1",
                     "the delivery to be taken in")
            self.refused(again, "23505")
            self.deliver(rebuilds["spotlight/2"], REBUILT)
            self.wait_for_status(package, "accepted")
            self.refused(again, "23505")
            daemon.terminate()
        self.refused("select flagman.deliver_rebuild(99, '{}')", "P0002")
        self.verify()

    def test_a_cancelled_package_waits_for_nobody(self):
        package, rebuilds = self.wait_for_rebuilds()
        with self.daemon() as daemon:
            self.run_flagman("cancel", "small", check=0)
            self.wait_for_status(package, "cancelled")
            self.assertEqual(self.open_rebuilds(), {})
            self.refused(f"select flagman.deliver_rebuild({rebuilds['spotlight/1']}, '{SECOND}')",
                         "55000")
            self.refused_command("cancel", "small")
            self.refused(f"select flagman.cancel({package})", "55000")
            daemon.terminate()
        self.assertEqual(self.database.psql("select count(*) from flagman.task"), "0")
        self.refused_command("result", "small")
        self.verify()

    def test_a_delivery_that_meets_a_cancellation_is_without_effect(self):
        package, rebuilds = self.wait_for_rebuilds()
        self.run_flagman("cancel", "small", check=0)
        self.run_flagman("cancel", "small", check=0)  # not final yet: that is no error
        self.deliver(rebuilds["spotlight/1"], SECOND_REBUILT)
        with self.daemon() as daemon:
            self.wait_for_status(package, "cancelled")
            daemon.terminate()
        self.assertEqual(self.open_rebuilds(), {})
        self.assertEqual(self.database.psql("select count(*) from flagman.author_key "
                                            "where revision > 1"), "0")
        self.verify()

    def test_a_package_that_nobody_looked_at_can_be_cancelled(self):
        package = self.submit_text(BODY)
        self.run_flagman("cancel", "small", check=0)
        with self.daemon() as daemon:
            self.wait_for_status(package, "cancelled")
            daemon.terminate()
        self.verify()

    def test_a_finished_or_unknown_package_cannot_be_cancelled(self):
        self.finish_small()
        self.refused_command("cancel", "small")
        self.refused_command("cancel", "no-such-package", check=2)
        self.assertEqual(self.database.psql("select count(*) from flagman.task"), "0")
        self.assertEqual(self.database.status(1), "accepted")


class Listener:
    """A session that listens; psql prints what came each time that a statement has ended."""

    def __init__(self, database, file, *channels):
        self.file = file
        with open(file, "wb") as out:
            self.process = subprocess.Popen(
                [database.cluster.bin / "psql", "-X", "-q", "-A", "-t", "-d",
                 database.dsn("flagman_generator")], stdin=subprocess.PIPE, stdout=out)
        for channel in channels:
            self.say(f"listen {channel};")
        self.say("select 'listening';")
        wait_for(lambda: "listening" in self.file.read_text(), "the listener")

    def say(self, sql):
        self.process.stdin.write(sql.encode() + b"\n")
        self.process.stdin.flush()

    def heard(self, channel):
        """The payloads that came so far."""
        self.say("select;")
        return re.findall(f'"{channel}" with payload "([^"]*)"', self.file.read_text())

    def close(self):
        self.process.stdin.close()
        self.process.wait(60)


class NotifyTest(PackageCase):
    def test_who_listens_is_told_what_is_true_by_then(self):
        listener = Listener(self.database, self.flagman.folder / "heard.txt", "flagman_package",
                            "flagman_rebuild")
        self.addCleanup(listener.close)
        package = self.submit_text(BODY)
        seen = []

        def told(status):
            """A new notification came, and the package has this status."""
            heard = listener.heard("flagman_package")
            news, seen[:] = len(heard) > len(seen), heard
            return news and self.database.status(package) == status

        with self.daemon() as daemon:
            wait_for(lambda: told("awaiting_rebuild"), "word of the package that waits")
            wait_for(lambda: len(listener.heard("flagman_rebuild")) == 2, "word of the rebuilds")
            rebuilds = self.open_rebuilds()
            self.assertEqual(sorted(map(int, listener.heard("flagman_rebuild"))),
                             sorted(rebuilds.values()))
            self.deliver(rebuilds["spotlight/1"], SECOND_REBUILT)
            self.deliver(rebuilds["spotlight/2"], REBUILT)
            wait_for(lambda: told("accepted"), "word of the accepted package")
            daemon.terminate()
        self.assertEqual(set(seen), {str(package)})


if __name__ == "__main__":
    case.main()
