"""Can the record be changed, and is it found out?

What was written once is refused to everybody; and where somebody who may do anything has changed,
dropped, doubled or slipped in something, `flagman journal verify` names it."""

import hashlib
import json
import re
import unittest

import case
from cluster import Daemon, SqlError

GUARDED = {"journal": "entry", "journal_0": "entry", "author_key": "key", "call": "body",
           "package_body": "body", "inbox": "body", "inbox_taken": "seq", "setting": "bytes"}

FLIP = "set_byte({0}, {1}, get_byte({0}, {1}) # 1)"
# The last sign of the worker's id: an entry remains canonical JSON with it changed.
FLIP_ENTRY = FLIP.format("entry", "length(entry) - 3")
HASH = "sha256('\\x00'::bytea || entry)"
SORT_0 = "package_id = 1 and item = 'sort/0' and revision = 1"
SORT_2 = "item = 'sort/2' and revision = 2"
QUIZ = "step = 'solve/strict/quiz@1' and call = 1"


class Chain:
    """The journal of package 1 in the hands of somebody who may write everything."""

    def __init__(self, database):
        self.database = database
        rows = database.rows("select encode(entry, 'hex') from flagman.journal order by seq")
        self.entries = [bytes.fromhex(row[0]) for row in rows]

    def place(self, kind, **data):
        """The number of the first entry of a kind that says this."""
        for seq, entry in enumerate(map(json.loads, self.entries), 1):
            if entry["kind"] == kind and data.items() <= entry["data"].items():
                return seq
        raise AssertionError(f"no entry {kind} says {data}")

    def change(self, seq, old, new):
        entry = self.entries[seq - 1]
        if entry.count(old.encode()) != 1:
            raise AssertionError(f"{old} does not stand once in {entry}")
        self.entries[seq - 1] = entry.replace(old.encode(), new.encode())

    def insert(self, seq, kind, **data):
        """Puts a forged entry behind the one of this number."""
        forged = {**json.loads(self.entries[seq - 1]), "kind": kind, "data": data}
        self.entries.insert(seq, json.dumps(forged, sort_keys=True, ensure_ascii=False,
                                            separators=(",", ":")).encode())

    def remove(self, seq):
        del self.entries[seq - 1]

    def write(self, head=True):
        """Numbers and links everything anew and stores it, the package's head too if wished."""
        prev = json.loads(self.entries[0])["prev"].encode()
        rows = []
        for seq, entry in enumerate(self.entries, 1):
            entry = re.sub(rb'"prev":"[0-9a-f]{64}"', b'"prev":"%s"' % prev, entry)
            entry = re.sub(rb'"seq":[0-9]+', b'"seq":%d' % seq, entry)
            prev = hashlib.sha256(b"\0" + entry).hexdigest().encode()
            rows.append(f"(1, {seq}, '\\x{entry.hex()}'::bytea, '\\x{prev.decode()}'::bytea)")
        self.database.psql("delete from flagman.journal; insert into flagman.journal values " +
                           ",\n".join(rows))
        if head:
            self.database.psql(f"update flagman.package set head_seq = {len(rows)}, "
                               f"head_hash = '\\x{prev.decode()}'")


# ---- what the tables below do with it ----


def tail_linked_anew(chain):
    entry = chain.entries[199]
    chain.entries[199] = entry[:-3] + bytes([entry[-3] ^ 1]) + entry[-2:]
    chain.write(head=False)


def last_decision_dropped_and_head_set_back(chain):
    chain.remove(len(chain.entries))
    chain.write()


def another_entry_behind_the_end(chain):
    chain.entries.append(chain.entries[-1])
    chain.write(head=False)


def neighbours_swapped(chain):
    entries = chain.entries
    entries[199], entries[200] = entries[200], entries[199]
    chain.database.psql(
        "create temporary table swapped as select * from flagman.journal where seq in (200, 201);"
        "update flagman.journal j set entry = s.entry, hash = s.hash from swapped s "
        "where s.seq = 401 - j.seq")


def key_replaced_in_row_entry_and_heads(chain):
    """The strongest hand: only the author's own bytes say what the key was."""
    salt = bytes(32)
    key = '"Одна Н"'
    commitment = hashlib.sha256(salt + key.encode()).hexdigest()
    seq = chain.place("author_key", item="sort/0", revision=1)
    chain.change(seq, json.loads(chain.entries[seq - 1])["data"]["commitment"], commitment)
    chain.write()
    chain.database.psql(f"update flagman.author_key set key = '{key}', salt = '\\x{salt.hex()}', "
                        f"commitment = '\\x{commitment}' where {SORT_0}")


def key_slipped_in_with_its_entry(chain):
    salt = bytes(32)
    commitment = hashlib.sha256(salt + b'"x"').hexdigest()
    chain.insert(chain.place("author_key", item="sort/0"), "author_key", item="sort/0", revision=2,
                 commitment=commitment)
    chain.write()
    chain.database.psql("insert into flagman.author_key values "
                        f"(1, 'sort/0', 2, '\"x\"', '\\x{salt.hex()}', '\\x{commitment}')")


def key_deleted_with_its_entry(chain):
    chain.remove(chain.place("author_key", item="sort/0", revision=1))
    chain.write()
    chain.database.psql(f"delete from flagman.author_key where {SORT_0}")


def call_deleted_with_its_entries(chain):
    chain.remove(chain.place("answered", step="solve/strict/quiz@1"))
    chain.write()
    chain.database.psql(f"delete from flagman.call where {QUIZ}")


# ---- decisions that do not follow from the replies ----


def item_decision_turned(chain):
    chain.change(chain.place("item_decided", item="pairs/2", revision=2),
                 '"outcome":"rejected"', '"outcome":"accepted"')
    chain.write()


def ballot_turned(chain):
    seq = chain.place("ballots", step="solve/strict/sort@2")
    chain.change(seq, '{"answer":"Две НН","i":2,"ok":true}', '{"answer":"Две НН","i":2,"ok":false}')
    chain.write()


def operator_decision_forged(chain):
    end = len(chain.entries)
    chain.insert(end, "package_decided", outcome="rejected", reasons=[])
    chain.insert(end, "item_decided", item="memory/0", revision=1, outcome="accepted",
                 route="operator", reasons=[])
    chain.insert(end, "operator_decided", item="memory/0", act="accept", who="nobody", why="so")
    chain.write()
    chain.database.psql("update flagman.item set outcome = 'accepted', route = 'operator', "
                        "reasons = '{}' where kind = 'memory' and ordinal = 0")


def package_decision_turned(chain):
    chain.change(chain.place("package_decided"), '"outcome":"rejected"', '"outcome":"accepted"')
    chain.write()
    chain.database.psql("update flagman.package set status = 'accepted'")


# Why, what is done (SQL, or a function of the chain), and what the verification says of it. The
# tables fit a record of 400 entries, which setUpClass makes sure of.
TAMPERINGS = [
    # The chain.
    ("a byte of the first entry", f"update flagman.journal set entry = {FLIP_ENTRY} where seq = 1",
     "entry 1 does not have its hash"),
    ("a byte of a middle entry", f"update flagman.journal set entry = {FLIP_ENTRY} where seq = 200",
     "entry 200 does not have its hash"),
    ("a byte of the last entry", f"update flagman.journal set entry = {FLIP_ENTRY} where seq = 400",
     "entry 400 does not have its hash"),
    ("a byte of a hash",
     f"update flagman.journal set hash = {FLIP.format('hash', 7)} where seq = 200",
     "entry 200 does not have its hash"),
    ("an entry and its hash",
     f"update flagman.journal set entry = {FLIP_ENTRY} where seq = 200;"
     f"update flagman.journal set hash = {HASH} where seq = 200",
     "entry 201 does not follow the entry before it"),
    ("the last entry and its hash",
     f"update flagman.journal set entry = {FLIP_ENTRY} where seq = 400;"
     f"update flagman.journal set hash = {HASH} where seq = 400",
     "entry 400 is not the head"),
    ("an entry, and the tail linked anew", tail_linked_anew, "entry 400 is not the head"),
    ("the head", f"update flagman.package set head_hash = {FLIP.format('head_hash', 7)}",
     "entry 400 is not the head"),
    ("the first entry dropped", "delete from flagman.journal where seq = 1", "entry 1 is missing"),
    ("a middle entry dropped", "delete from flagman.journal where seq = 200",
     "entry 200 is missing"),
    ("the last entry dropped", "delete from flagman.journal where seq = 400",
     "entry 400 is missing: the head lies beyond it"),
    ("the whole journal dropped", "delete from flagman.journal", "entry 1 is missing"),
    ("the last entry dropped, and the head set back", last_decision_dropped_and_head_set_back,
     "entry 400 is missing: a finished package ends in package_decided"),
    ("the last entry doubled",
     "insert into flagman.journal select 1, 401, entry, hash from flagman.journal where seq = 400",
     "entry 401 has another number than its place"),
    ("an entry behind the end, linked", another_entry_behind_the_end,
     "entry 401 stands behind the head"),
    ("two entries swapped", neighbours_swapped, "entry 200 has another number than its place"),
    ("the name of the package", "update flagman.package set idempotency_key = 'other'",
     "entry 1 is of another package"),
    # Keys.
    ("a key", f"update flagman.author_key set key = '\"Одна Н\"' where {SORT_0}",
     'the key of revision 1 of "sort/0" is not the author\'s own'),
    ("a key, as its commitment sees it",
     f"update flagman.author_key set key = '\"Одна Н\"' where {SORT_0}",
     'has a commitment that salt and key do not open: the key of revision 1 of "sort/0"'),
    ("a rebuilt item's key", f"update flagman.author_key set key = '\"Одна Н\"' where {SORT_2}",
     'the key of revision 2 of "sort/2" is not the author\'s own'),
    ("a key's spelling alone", f"update flagman.author_key set key = key || ' ' where {SORT_0}",
     "has a commitment that salt and key do not open"),
    ("a key where the kind has none",
     "update flagman.author_key set key = '\"x\"' where item = 'wheel/0'",
     'the key of revision 1 of "wheel/0" is not the author\'s own'),
    ("a salt", f"update flagman.author_key set salt = {FLIP.format('salt', 7)} where {SORT_0}",
     "has a commitment that salt and key do not open"),
    ("a commitment",
     f"update flagman.author_key set commitment = {FLIP.format('commitment', 7)} where {SORT_0}",
     'has another commitment than the row of the key of revision 1 of "sort/0"'),
    ("a key of a revision that no author wrote",
     "insert into flagman.author_key select 1, item, 2, key, salt, commitment "
     f"from flagman.author_key where {SORT_0}",
     'the key of revision 2 of "sort/0" is a row without an entry'),
    ("a key of an item that does not exist",
     "insert into flagman.author_key select 1, 'sort/99', 1, key, salt, commitment "
     f"from flagman.author_key where {SORT_0}",
     'the key of revision 1 of "sort/99" is a row without an entry'),
    ("a key deleted", f"delete from flagman.author_key where {SORT_0}",
     'has no row: the key of revision 1 of "sort/0" is missing'),
    ("a key with salt, commitment, entry, tail and head", key_replaced_in_row_entry_and_heads,
     'the key of revision 1 of "sort/0" is not the author\'s own'),
    ("a key slipped in with an entry, tail and head", key_slipped_in_with_its_entry,
     'the key of revision 2 of "sort/0", which the package does not have'),
    ("a key deleted with its entry, tail and head", key_deleted_with_its_entry,
     'the key of revision 1 of "sort/0" is missing: neither row nor entry'),
    # Calls.
    ("a byte of a reply", f"update flagman.call set body = {FLIP.format('body', 7)} where {QUIZ}",
     'has another digest than the body of call 1 of "solve/strict/quiz@1"'),
    ("a reply's status", f"update flagman.call set status = 'truncated' where {QUIZ}",
     'has another status than call 1 of "solve/strict/quiz@1"'),
    ("a byte of a question",
     f"update flagman.call set request = {FLIP.format('request', 7)} where {QUIZ}",
     'has another digest than the question of call 1 of "solve/strict/quiz@1"'),
    ("a call deleted", f"delete from flagman.call where {QUIZ}",
     'has no row: call 1 of "solve/strict/quiz@1" is missing'),
    ("a call doubled",
     "insert into flagman.call select 1, step, 2, status, request, body "
     f"from flagman.call where {QUIZ}",
     'call 2 of "solve/strict/quiz@1" is a row without an entry'),
    # What authors wrote, and what it was judged by.
    ("a byte of the body", f"update flagman.package_body set body = {FLIP.format('body', 2000)}",
     "has another digest or size than the body"),
    ("a byte behind the body", "update flagman.package_body set body = body || '\\x0a'",
     "has another digest or size than the body"),
    ("a byte of a delivered revision",
     f"update flagman.inbox set body = {FLIP.format('body', 9)} where {SORT_2}",
     'has another digest than revision 2 of "sort/2" as delivered'),
    ("a delivered revision deleted", f"delete from flagman.inbox where {SORT_2}",
     'has no row: revision 2 of "sort/2" is missing'),
    ("the policy",
     f"update flagman.setting set bytes = {FLIP.format('bytes', 9)} where kind = 'policy'",
     "has another policy_sha256 than the setting"),
    ("the games", f"update flagman.setting set bytes = bytes || '\\x20' where kind = 'games'",
     "has another games_sha256 than the setting"),
    ("the policy deleted", "delete from flagman.setting where kind = 'policy'",
     "has another policy_sha256 than the setting"),
    # What people look at follows from the record.
    ("an item's text", "update flagman.item set written = '{}' where kind = 'sort' and ordinal = 0",
     "the row of sort/0 does not follow from the record"),
    ("an item's outcome",
     "update flagman.item set outcome = 'accepted' where kind = 'pairs' and ordinal = 2",
     "the row of pairs/2 does not follow from the record"),
    ("an item's route",
     "update flagman.item set route = 'arbiter' where kind = 'sort' and ordinal = 0",
     "the row of sort/0 does not follow from the record"),
    ("an item's reasons",
     "update flagman.item set reasons = '{markup}' where kind = 'pairs' and ordinal = 2",
     "the row of pairs/2 does not follow from the record"),
    ("an item's revision",
     "update flagman.item set revision = 1 where kind = 'sort' and ordinal = 2",
     "the row of sort/2 does not follow from the record"),
    ("an item's row deleted", "delete from flagman.item where kind = 'sort' and ordinal = 0",
     "the row of sort/0 does not follow from the record"),
    ("an item's row slipped in",
     "insert into flagman.item select 1, kind, 99, revision, outcome, route, reasons, written, echo"
     " from flagman.item where kind = 'sort' and ordinal = 0",
     "the row of sort/99 is of no item of the package"),
    ("the package's status", "update flagman.package set status = 'accepted'",
     "the status says accepted, the record says rejected"),
    ("a finished package's status set back", "update flagman.package set status = 'running'",
     "the status says running, the record says rejected"),
]

# The journal, the calls and the bodies are enough to do the whole run again with the same
# decisions: where the record says another one, or a projection does, that is found.
DECISIONS = [
    ("an item's decision, with tail and head", item_decision_turned, "pairs/2"),
    ("a ballot, with tail and head", ballot_turned, "entry"),
    ("the package's decision, with status, tail and head", package_decision_turned, "accepted"),
    ("a person's decision that nobody made, with tail and head", operator_decision_forged,
     "memory/0"),
    ("the package's reasons", "update flagman.package set reasons = '{bad_json}'", "reasons"),
    ("a brief", "update flagman.rebuild set brief = '{}' where item = 'sort/2'", "sort/2"),
    ("a rebuild's row deleted", "delete from flagman.rebuild where item = 'sort/2'", "sort/2"),
]


class FinishedCase(case.DatabaseCase):
    """Each test has a copy of a database in which the n-nn run went through the daemon."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.finished = cls.cluster.make_database()
        packages = cls.n_nn.submit(cls.finished)
        with Daemon(cls.flagman, cls.finished.dsn("flagman_worker"), cls.n_nn.file) as daemon:
            cls.n_nn.settle(cls.finished, packages)
            daemon.terminate()
        entries = cls.finished.psql("select count(*) from flagman.journal")
        if entries != "400":
            raise AssertionError(f"the record has {entries} entries, not 400")

    def setUp(self):
        self.database = self.copy(self.finished)

    def copy(self, template):
        copy = self.cluster.make_database(template=template.name)
        self.addCleanup(copy.drop)
        return copy

    def rows(self, tables):
        """A digest of what each of the tables holds."""
        digests = self.database.rows(" union all ".join(
            f"select '{table}', count(*), md5(string_agg(t::text, '' order by t::text)) "
            f"from flagman.{table} t" for table in tables))
        self.assertEqual(len(digests), len(tables))
        return digests

    def head(self, text):
        found = re.findall(r"\bhead ([0-9a-f]{64})\b", text)
        self.assertEqual(len(found), 1, text)
        return found[0]


class GuardTest(FinishedCase):
    def setUp(self):
        super().setUp()
        for table, count, _ in self.rows(GUARDED):
            self.assertGreater(int(count), 0, f"flagman.{table} is empty")

    def changes(self):
        statements = []
        for table, column in GUARDED.items():
            statements += [f"update flagman.{table} set {column} = {column}",
                           f"delete from flagman.{table}", f"truncate flagman.{table}"]
        self.assertEqual(len(statements), 3 * len(GUARDED))
        return statements

    def refused(self, statement, role, says):
        with self.subTest(why=f"{role or 'owner'}: {statement}"):
            with self.assertRaises(SqlError) as raised:
                self.database.psql(statement, role)
            self.assertEqual(raised.exception.state, "42501")
            self.assertIn(says, str(raised.exception))

    def test_the_worker_has_no_privilege_to_change_what_was_written(self):
        before = self.rows(GUARDED)
        for statement in self.changes():
            self.refused(statement, "flagman_worker", "permission denied")
        upsert = ("insert into flagman.author_key select * from flagman.author_key "
                  "on conflict (package_id, item, revision) do update set key = 'null'")
        self.refused(upsert, "flagman_worker", "permission denied")
        self.refused("alter table flagman.author_key disable trigger all", "flagman_worker",
                     "must be owner")
        self.assertEqual(self.rows(GUARDED), before)

    def test_the_other_roles_may_not_change_it_either(self):
        before = self.rows(GUARDED)
        for role in ("flagman_generator", "flagman_reader", "flagman_auditor"):
            for statement in self.changes():
                self.refused(statement, role, "permission denied")
            self.refused("insert into flagman.author_key select * from flagman.author_key", role,
                         "permission denied")
        self.assertEqual(self.rows(GUARDED), before)

    def test_triggers_stop_the_owner(self):
        before = self.rows(GUARDED)
        for statement in self.changes():
            self.refused(statement, None, "its rows are only ever inserted")
        self.refused("truncate flagman.package cascade", None, "its rows are only ever inserted")
        self.assertEqual(self.rows(GUARDED), before)

    def test_triggers_stop_the_owner_in_the_role_of_a_replica(self):
        before = self.rows(GUARDED)
        for statement in self.changes():
            self.refused("set session_replication_role = replica; " + statement, None,
                         "its rows are only ever inserted")
        self.assertEqual(self.rows(GUARDED), before)


class VerifyTest(FinishedCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for table in GUARDED:
            cls.finished.psql(f"alter table flagman.{table} disable trigger all")

    def verify(self, check=None):
        return self.run_flagman("journal", "verify", role="flagman_auditor", check=check)

    def test_a_whole_record_verifies(self):
        self.assertIn("journal: verified, whole: 1 package, 400 entries", self.verify(0).stdout)

    def test_a_record_that_was_only_stored_anew_verifies(self):
        # The tools of the tests below leave no trace but what they are told to change.
        Chain(self.database).write()
        self.assertIn("whole", self.verify(0).stdout)

    def test_whatever_was_changed_is_named(self):
        self.assertGreater(len(TAMPERINGS), 50)
        self.tamper(TAMPERINGS)

    def test_a_decision_that_does_not_follow_from_the_replies_is_named(self):
        self.assertTrue(DECISIONS)
        self.tamper(DECISIONS)

    def tamper(self, tamperings):
        tables = (*GUARDED, "item", "rebuild", "package")
        whole = self.rows(tables)
        for why, tampering, says in tamperings:
            with self.subTest(why=why):
                self.database = self.copy(self.finished)
                if callable(tampering):
                    tampering(Chain(self.database))
                else:
                    self.database.psql(tampering)
                self.assertNotEqual(self.rows(tables), whole, "nothing was tampered with")
                done = self.verify()
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertRegex(done.stdout, ": broken: .*" + re.escape(says))
                self.assertIn("journal: broken in 1 of 1 package", done.stdout)
                self.database.drop()


class FileTest(FinishedCase):
    def setUp(self):
        super().setUp()
        self.file = self.flagman.folder / "n-nn.journal"
        shown = self.run_flagman("journal", "show", "n-nn", role="flagman_auditor", check=0)
        self.lines = shown.stdout.splitlines()
        self.assertEqual(len(self.lines), 400)
        self.write(self.lines)

    def write(self, lines):
        self.file.write_text("".join(line + "\n" for line in lines))

    def verify(self, check):
        return self.run_flagman("journal", "verify", "--file", str(self.file), check=check)

    def changed(self, seq):
        """The lines with one sign of an entry changed: the last of the worker's id."""
        line = self.lines[seq - 1]
        line = line[:-3] + ("0" if line[-3] != "0" else "1") + line[-2:]
        return [*self.lines[:seq - 1], line, *self.lines[seq:]]

    def test_what_was_printed_verifies_to_the_same_head(self):
        from_database = self.run_flagman("journal", "verify", "n-nn", check=0).stdout
        self.assertEqual(self.head(self.verify(check=0).stdout), self.head(from_database))

    def test_a_broken_file_is_found_and_the_entry_named(self):
        lines = self.lines
        rows = [
            ("a byte of the first entry", self.changed(1), "entry 2 does not follow"),
            ("a byte of a middle entry", self.changed(200), "entry 201 does not follow"),
            ("the first line dropped", lines[1:], "entry 1 has another number"),
            ("a middle line dropped", lines[:199] + lines[200:], "entry 200 has another number"),
            ("two lines swapped", [*lines[:199], lines[200], lines[199], *lines[201:]],
             "entry 200 has another number"),
            ("a line doubled", lines[:200] + lines[199:], "entry 201 has another number"),
            ("a blank line", lines[:199] + [""] + lines[199:], "entry 200 is not in canonical"),
            ("a line cut off", lines[:399] + [lines[399][:50]], "entry 400 is not in canonical"),
            ("a blank inside", [*lines[:199], lines[199].replace(":", ": ", 1), *lines[200:]],
             "entry 200 is not in canonical form"),
        ]
        self.assertTrue(rows)
        for why, changed, says in rows:
            with self.subTest(why=why):
                self.assertNotEqual(changed, lines)
                self.write(changed)
                self.assertIn(says, self.verify(check=1).stdout)

    def test_a_change_at_the_end_shows_in_the_head(self):
        head = self.head(self.verify(check=0).stdout)
        for why, lines in (("the last line dropped", self.lines[:-1]),
                           ("a byte of the last entry", self.changed(400))):
            with self.subTest(why=why):
                self.write(lines)
                self.assertNotEqual(self.head(self.verify(check=0).stdout), head)

    def test_a_file_without_entries_is_unusable(self):
        self.write([])
        for why, prepare in (("empty", lambda: None), ("missing", self.file.unlink)):
            with self.subTest(why=why):
                prepare()
                done = self.verify(check=2)
                self.assertRegex(done.stderr, r"\Aflagman: [^\n]+\n\Z")
                self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    case.main()
