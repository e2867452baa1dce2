"""A private PostgreSQL: comes up from nothing, goes when its owner goes, leaves one folder."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import unittest

import case
from cluster import Flagman, RecordedRun, programs, wait_for


class EmbeddedTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.flagman = Flagman(case.arguments.flagman, case.SOURCE)
        cls.addClassCleanup(cls.flagman.remove)

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="flagman-it-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        # PostgreSQL steps down from root, and another user must find the way.
        self.folder.chmod(0o755)
        self.run_file = case.RUNS / "accepted.run.jsonl"

    def serve(self, folder):
        file = self.flagman.configuration("", self.run_file)
        log = open(self.folder / "serve.log", "ab")
        process = subprocess.Popen([self.flagman.program, "--config", file, "serve", "--embedded",
                                    folder], stdout=log, stderr=log, cwd="/")
        log.close()
        self.addCleanup(process.wait, 30)
        self.addCleanup(process.kill)
        return process

    def registrations(self):
        return (self.folder / "serve.log").read_text().count("registered")

    def psql(self, folder, sql):
        done = subprocess.run([programs() / "psql", "-X", "-A", "-t", "-h", folder / "socket", "-U",
                               "flagman", "-d", "flagman", "-c", sql], capture_output=True,
                              text=True)
        return done.stdout.strip()

    def servers_of(self, folder):
        """Processes whose command line names the folder, other than flagman itself."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if words[0].endswith(b"postgres") and os.fsencode(folder / "data") in words:
                found.append(int(entry.name))
        return found

    def test_serve_makes_a_database_in_the_folder_and_keeps_what_it_holds(self):
        folder = self.folder / "pg"
        waits = "awaiting_rebuild"
        process = self.serve(folder)
        wait_for(lambda: self.registrations() == 1, "the worker")
        self.assertEqual(len(self.servers_of(folder)), 1)
        self.assertEqual(self.psql(folder, "show listen_addresses"), "")
        package = RecordedRun(self.run_file)
        body = next(iter(package.packages.values()))
        file = self.folder / "package.json"
        file.write_text(json.dumps(body))
        database = f"host='{folder}/socket' user=flagman dbname=flagman"
        self.flagman.run("submit", str(file), database=database, check=0)
        wait_for(lambda: self.psql(folder, "select status from flagman.package") == waits,
                 "the package to ask for a rebuild")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(30), 0)
        self.assertEqual(self.servers_of(folder), [])
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()),
                         ["package.json", "pg", "serve.log"])

        process = self.serve(folder)
        wait_for(lambda: self.registrations() == 2, "the worker")
        self.assertEqual(self.psql(folder, "select status from flagman.package"), waits)
        self.flagman.run("journal", "verify", database=database, check=0)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(30), 0)

    def test_after_kill_9_its_server_goes_and_the_next_start_works(self):
        folder = self.folder / "pg"
        process = self.serve(folder)
        wait_for(lambda: self.registrations() == 1, "the worker")
        process.kill()
        process.wait(30)
        process = self.serve(folder)
        wait_for(lambda: self.registrations() == 2, "the worker after a kill")
        process.kill()
        process.wait(30)
        wait_for(lambda: not self.servers_of(folder), "the orphaned server to go")

    def test_a_folder_that_cannot_be_used_is_one_clear_line(self):
        full = self.folder / "full"
        full.mkdir()
        (full / "letter.txt").write_text("mine")
        file = self.folder / "file"
        file.write_text("mine")
        rows = [("holds something else", full, "the folder holds something else"),
                ("is a file", file, "folder"),
                ("has too long a name", self.folder / ("x" * 100), "too long for a Unix socket")]
        for why, folder, says in rows:
            with self.subTest(why=why):
                process = self.serve(folder)
                self.assertEqual(process.wait(30), 2)
                last = (self.folder / "serve.log").read_text().splitlines()[-1]
                self.assertTrue(last.startswith("flagman: "), last)
                self.assertIn(says, last)
        self.assertEqual((full / "letter.txt").read_text(), "mine")
        self.assertEqual(file.read_text(), "mine")


class DemoTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = pathlib.Path(case.arguments.flagman).resolve()

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="flagman-it-"))
        self.folder.chmod(0o1777)
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.environment = dict(os.environ, TMPDIR=str(self.folder))

    def run_program(self, *words):
        return subprocess.run([self.program, *words], capture_output=True, text=True, timeout=120,
                              env=self.environment, cwd="/")

    def test_the_demo_decides_as_the_replay_does_and_leaves_nothing(self):
        run = str(case.RUNS / "n-nn.run.jsonl")
        demo = self.run_program("demo", "--json")
        self.assertEqual(demo.returncode, 0, demo.stderr)
        self.assertEqual(demo.stdout, self.run_program("replay", run, "--json").stdout)
        self.assertIn("journal: verified, whole: 1 package, ", demo.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])
        table = self.run_program("demo", run).stdout.splitlines()
        self.assertIn("package n-nn: rejected", table[0])
        self.assertIn("journal: verified, whole: 1 package, ", table[-1])

    def test_an_interrupted_demo_says_so_and_leaves_nothing(self):
        process = subprocess.Popen([self.program, "demo"], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True, env=self.environment, cwd="/")
        wait_for(lambda: list(self.folder.glob("*/postgres.log")), "the demo's server")
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 2)
        self.assertIn("interrupted", said)
        self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    case.main()
