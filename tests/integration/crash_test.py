"""Whenever a worker dies or is declared dead, does the run end as if nothing had happened?

The same end: the items' fates are those of the replay, the journal verifies, its entries are
those of an undisturbed run, and every answer stands on record once."""

import collections
import json
import pathlib
import random
import re
import signal
import subprocess

import case
from cluster import Daemon, RecordedRun, wait_for

# Short times, so that the dead are soon found.
SHORT = {"lease_ms": 300, "heartbeat_ms": 50}
SEED = 20250314

# The commit points that a run of one package reaches only once or twice.
SELDOM = {"registered", "claimed", "loaded", "before_retire"}


def commit_points():
    """The names that the daemon's source gives to its commit points."""
    sources = "\n".join(file.read_text() for file in (case.SOURCE / "daemon").rglob("*.cpp"))
    return sorted(set(re.findall(r'(?:reach|commit_point_)\(\s*"(\w+)"\s*\)', sources)))


def copies(source, folder, count):
    """A recorded run of `count` packages that differ from the source's one by their ids."""
    lines = [json.loads(line) for line in source.file.read_text().splitlines()]
    written = [lines[0]]
    for i in range(count):
        name = f"copy-{i}"
        for line in lines:
            if "package" not in line:
                continue
            line = dict(line, package=name)
            if line["type"] == "package":
                line["body"] = dict(line["body"], id=name)
            written.append(line)
    written.append(lines[-1])
    file = folder / f"copies-{count}.run.jsonl"
    file.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in written) + "\n")
    return RecordedRun(file)


def journal(database):
    """Every package's entries in order, by the package's name."""
    chains = collections.defaultdict(list)
    text = database.psql("select convert_from(entry, 'UTF8') from flagman.journal "
                         "order by package_id, seq")
    for line in text.split("\n") if text else []:
        entry = json.loads(line)
        chains[entry["package"]].append(entry)
    return chains


def facts(chain):
    """What the entries say, without what chance has a part in."""
    def plain(entry):
        data = {name: value for name, value in entry["data"].items() if name != "commitment"}
        return entry["kind"], json.dumps(data, sort_keys=True, ensure_ascii=False)
    return collections.Counter(map(plain, chain))


def entries(database):
    return int(database.psql("select count(*) from flagman.journal"))


def open_packages(database):
    return int(database.psql("select count(*) from flagman.package where status in "
                             "('queued', 'running', 'awaiting_rebuild')"))


def hurry(database):
    """Ends the pauses after a crash: they are meant for poisoned packages."""
    database.psql("update flagman.task set run_at = now() where worker_id is null "
                  "and run_at > now() and run_at < 'infinity'")


class EndCase(case.DatabaseCase):
    """Runs of copies of one package, and what their end is to be."""

    undisturbed_facts = {}  # by package, for all classes: a copy is the same in every run

    def daemon(self, run, database=None, die_at=None, name="flagman", **worker):
        database = (database or self.database).dsn("flagman_worker")
        return Daemon(self.flagman, f"{database} application_name={name}", run.file, die_at,
                      **{**SHORT, **worker})

    def copies(self, count):
        return copies(self.n_nn, self.flagman.folder, count)

    def another_database(self):
        database = self.cluster.make_database()
        self.addCleanup(database.drop)
        return database

    def finish(self, run, database=None, seconds=60):
        """Delivers until every package is settled; no package waits out a pause."""
        database = database or self.database

        def settled():
            run.deliver(database)
            hurry(database)
            return open_packages(database) == 0
        wait_for(settled, "all packages to be settled", seconds)

    def undisturbed(self, run):
        """What each package's entries say after a run in which nothing happens."""
        if not self.undisturbed_facts.keys() >= run.packages.keys():
            database = self.another_database()
            run.submit(database)
            with self.daemon(run, database, lease_ms=10_000):
                self.finish(run, database)
            self.undisturbed_facts.update(
                (name, facts(chain)) for name, chain in journal(database).items())
        return self.undisturbed_facts

    def verify(self, database=None, packages=()):
        database = database or self.database
        self.flagman.run("journal", "verify", *packages,
                         database=database.dsn("flagman_auditor"), check=0)

    def no_half_writes(self):
        """Every head stands at the last entry, at this very moment."""
        torn = self.database.psql(
            "select t.package_id, t.head_seq, count(j.seq), max(j.seq) from flagman.task t "
            "left join flagman.journal j using (package_id) group by t.package_id, t.head_seq "
            "having t.head_seq <> count(j.seq) or t.head_seq <> coalesce(max(j.seq), 0)")
        self.assertEqual(torn, "")

    def same_end(self, run, database=None):
        database = database or self.database
        self.same_items(run, database)
        self.verify(database)
        expected = self.undisturbed(run)
        chains = journal(database)
        self.assertEqual(sorted(chains), sorted(run.packages))
        for package, chain in chains.items():
            with self.subTest(package=package):
                self.assertEqual([entry["seq"] for entry in chain],
                                 list(range(1, expected[package].total() + 1)))
                found = facts(chain)
                self.assertEqual((found - expected[package], expected[package] - found),
                                 (collections.Counter(), collections.Counter()))
                self.every_call_once(package, chain, database)

    def same_items(self, run, database):
        replayed = self.flagman.run("replay", str(run.file), "--json",
                                    database=database.dsn(), check=0)
        lines = [json.loads(line) for line in replayed.stdout.splitlines()]
        items = sorted([line["package"], line["item"], str(line["revision"]), line["outcome"],
                        line["route"] or "", ",".join(line["reasons"])]
                       for line in lines if "item" in line)
        self.assertGreater(len(items), 90 * len(run.packages))
        self.assertEqual(sorted(database.rows(
            "select p.idempotency_key, i.item, i.revision, i.outcome, i.route, "
            "array_to_string(i.reasons, ',') from flagman.item_status i "
            "join flagman.package p on p.id = i.package_id")), items)
        packages = sorted([line["package"], line["outcome"]]
                          for line in lines if "item" not in line)
        self.assertEqual(sorted(database.rows(
            "select idempotency_key, status from flagman.package")), packages)
        self.assertEqual(database.psql("select count(*) from flagman.task"), "0")

    def every_call_once(self, package, chain, database):
        rows = database.rows("select step, call from flagman.call c join flagman.package p "
                             f"on p.id = c.package_id where p.idempotency_key = '{package}'")
        calls = collections.Counter((step, int(call)) for step, call in rows)
        self.assertGreater(len(calls), 50)
        self.assertEqual(set(calls.values()), {1})
        for kind in ("asked", "answered"):
            self.assertEqual(calls, collections.Counter(
                (entry["data"]["step"], entry["data"]["call"])
                for entry in chain if entry["kind"] == kind))


class KillTest(EndCase):
    def die(self, run, point, times, database):
        """A daemon works until it dies at the point; where it is done, it is told to stop."""
        with self.daemon(run, database, f"{point}:{times}") as daemon:
            def dead():
                if not daemon.is_running():
                    return True
                run.deliver(database)
                if open_packages(database) == 0:
                    daemon.process.send_signal(signal.SIGTERM)
                    daemon.process.wait(20)
                return False
            wait_for(dead, f"the daemon to die at {point}:{times}")
            self.assertEqual(daemon.process.returncode, -signal.SIGKILL,
                             f"{point} is not reached {times} times; is it one of SELDOM?")

    def test_a_kill_at_any_commit_point_loses_nothing_and_repeats_nothing(self):
        points = commit_points()
        self.assertIn("after_append", points)
        for point in points:
            for times in (1,) if point in SELDOM else (1, 7):
                with self.subTest(why=f"killed at {point}, reached {times} times"):
                    database = self.another_database()
                    self.n_nn.submit(database)
                    self.die(self.n_nn, point, times, database)
                    with self.daemon(self.n_nn, database):
                        self.finish(self.n_nn, database)
                        self.same_end(self.n_nn, database)
                    database.drop()

    def test_kills_at_twenty_random_instants_of_a_run_change_nothing(self):
        print(f"seed {SEED}", flush=True)
        chance = random.Random(SEED)
        run = self.copies(24)
        run.submit(self.database)
        # One package after the other, so that the run outlasts the kills.
        slow = {"recorded_delay_ms": 60, "in_flight_max": 1}
        for kill in range(20):
            with self.daemon(run, **slow) as daemon:
                daemon.wait_to_say(" registered ")
                worker = re.search(r"registered worker=(\S+)", daemon.log.read_text()).group(1)

                def works():
                    run.deliver(self.database)
                    hurry(self.database)
                    return self.database.psql("select count(*) from flagman.task "
                                              f"where worker_id = '{worker}'") != "0"
                wait_for(works, f"the daemon before kill {kill} to work on something")
                try:
                    daemon.process.wait(chance.uniform(0.02, 0.5))
                    self.fail("the daemon ended by itself: " + daemon.log.read_text())
                except subprocess.TimeoutExpired:
                    daemon.kill()
        self.assertGreater(open_packages(self.database), 0, "the kills came after the end")
        with self.daemon(run):
            self.finish(run)
        self.same_end(run)


class PoisonTest(EndCase):
    def die_often(self, point, deaths):
        for _ in range(deaths):
            with self.daemon(self.n_nn, die_at=f"{point}:1") as daemon:
                def dead():
                    hurry(self.database)
                    return not daemon.is_running()
                wait_for(dead, f"the daemon to die at {point}")
                self.assertEqual(daemon.process.returncode, -signal.SIGKILL)

    def test_a_package_that_kills_five_workers_in_a_row_is_set_aside_and_can_be_cancelled(self):
        for point in ("claimed", "loaded", "before_append"):
            with self.subTest(why=f"five deaths at {point}"):
                self.database = self.another_database()
                package, = self.n_nn.submit(self.database)
                self.die_often(point, 5)
                with self.daemon(self.n_nn) as daemon:
                    self.finish(self.n_nn)
                    self.assertEqual(self.database.status(package), "manual_review")
                    kinds = [entry["kind"] for entry in journal(self.database)["n-nn"]]
                    self.assertEqual(kinds, ["package_set_aside", "package_decided"])
                    self.assertTrue(daemon.says("package_set_aside"))
                    self.verify()
                    self.run_flagman("cancel", "n-nn", role="flagman_worker", check=0)
                    wait_for(lambda: self.database.status(package) == "cancelled",
                             "the package to be cancelled")
                    self.verify()
                    self.assertEqual(self.database.psql("select count(*) from flagman.task"), "0")

    def test_four_deaths_are_not_enough_to_set_a_package_aside(self):
        self.n_nn.submit(self.database)
        self.die_often("loaded", 4)
        with self.daemon(self.n_nn):
            self.finish(self.n_nn)
        self.same_end(self.n_nn)

    def test_deaths_between_which_a_package_moves_on_are_forgotten(self):
        self.n_nn.submit(self.database)
        self.die_often("answer_came", 1)
        self.die_often("after_append", 3)
        self.die_often("answer_came", 2)
        with self.daemon(self.n_nn):
            self.finish(self.n_nn)
        self.same_end(self.n_nn)


class TwoDaemonsTest(EndCase):
    SLOW = {"recorded_delay_ms": 60, "in_flight_max": 3}

    def worker_of(self, daemon):
        daemon.wait_to_say(" registered ")
        return re.findall(r"registered worker=(\S+)", daemon.log.read_text())[-1]

    def owned_by(self, worker):
        return {row[0] for row in self.database.rows(
            f"select package_id from flagman.task where worker_id = '{worker}'")}

    def entries_of(self, worker):
        return sum(entry["worker"] == worker
                   for chain in journal(self.database).values() for entry in chain)

    def one_worker_an_epoch(self):
        """Along each chain the fencing number never falls, and names one worker."""
        for package, chain in journal(self.database).items():
            with self.subTest(package=package):
                epochs = [entry["epoch"] for entry in chain]
                self.assertEqual(epochs, sorted(epochs))
                owners = {(entry["epoch"], entry["worker"]) for entry in chain}
                self.assertEqual(len(owners), len(set(epochs)))

    def holds_locks(self):
        """Of the daemon that stands still: does a transaction of its hold locks?"""
        return self.database.psql(
            "select count(*) from pg_stat_activity where application_name = 'sleeper' "
            "and state = 'idle in transaction' and backend_xid is not null") != "0"

    def freeze(self, daemon):
        """Stops the daemon again and again, at last while it holds packages. Whenever that is, it
        holds no locks: a rescuer would wait for them as long as the daemon sleeps."""
        chance = random.Random(SEED)
        for attempt in range(200):
            daemon.process.send_signal(signal.SIGSTOP)
            wait_for(lambda: "State:\tT" in
                     pathlib.Path(f"/proc/{daemon.process.pid}/status").read_text(), "the stop")
            worker = self.worker_of(daemon)
            held = self.owned_by(worker)
            self.assertFalse(self.holds_locks())
            if held and attempt >= 8:
                return worker, held
            daemon.process.send_signal(signal.SIGCONT)
            with self.assertRaises(subprocess.TimeoutExpired):
                daemon.process.wait(chance.uniform(0.001, 0.02))
        self.fail("the daemon never held a package")

    def test_a_daemon_that_sleeps_past_its_lease_changes_nothing_when_it_wakes(self):
        run = self.copies(16)
        run.submit(self.database)
        with self.daemon(run, name="sleeper", **self.SLOW) as sleeper, \
                self.daemon(run, **self.SLOW) as other:
            worker = self.worker_of(sleeper)

            def holds_several():
                run.deliver(self.database)
                return len(self.owned_by(worker)) == 3
            wait_for(holds_several, "the first daemon to work on several packages")
            worker, held = self.freeze(sleeper)

            def taken_up():
                hurry(self.database)
                run.deliver(self.database)
                return not self.owned_by(worker) and self.database.psql(
                    "select count(*) from flagman.task where worker_id is null "
                    f"and run_at < 'infinity' and package_id in ({', '.join(held)})") == "0"
            wait_for(taken_up, "the other daemon to take the packages up", 20)
            self.assertTrue(other.says(" rescued "))
            written = self.entries_of(worker)
            sleeper.process.send_signal(signal.SIGCONT)
            sleeper.wait_to_say(" lease_lost ")
            self.finish(run)
            self.assertEqual(self.entries_of(worker), written)
            self.assertEqual(sleeper.terminate(), 0)
            self.assertEqual(other.terminate(), 0)
        self.one_worker_an_epoch()
        self.same_end(run)

    def declare_all_dead(self):
        """However they feel. Gives what they held: package, fencing number and head."""
        return self.database.rows("""
            begin;
            do $$ begin perform flagman.rescue('-1 hour'); end $$;
            select package_id, epoch, head_seq from flagman.task
              where worker_id is null and run_at > now() and run_at < 'infinity';
            commit""")

    def test_workers_that_are_declared_dead_while_they_write_are_fenced_off(self):
        run = self.copies(16)
        run.submit(self.database)
        fences = []
        with self.daemon(run, **self.SLOW) as one, self.daemon(run, **self.SLOW) as two:
            for _ in range(4):
                before = entries(self.database)

                def both_get_on():
                    run.deliver(self.database)
                    hurry(self.database)
                    return entries(self.database) > before + 100 and \
                        self.owned_by(self.worker_of(one)) and self.owned_by(self.worker_of(two))
                wait_for(both_get_on, "both daemons to get on")
                fences += self.declare_all_dead()
            self.assertGreater(open_packages(self.database), 0, "the last came after the end")
            self.finish(run)
            for daemon in (one, two):
                self.assertTrue(daemon.says(" lease_lost "))
                self.assertEqual(daemon.terminate(), 0)
        self.assertGreater(len(fences), 4)
        for package, epoch, head in fences:
            self.assertEqual(self.database.psql(
                f"select count(*) from flagman.journal where package_id = {package} and seq > "
                f"{head} and (convert_from(entry, 'UTF8')::json->>'epoch')::bigint <= {epoch}"),
                "0", f"a late write of package {package}")
        self.one_worker_an_epoch()
        self.same_end(run)


class VerifyTest(EndCase):
    def in_work(self):
        return [row[0] for row in self.database.rows(
            "select p.idempotency_key from flagman.task t "
            "join flagman.package p on p.id = t.package_id where t.worker_id is not null")]

    def test_the_journal_verifies_at_every_moment_of_a_run(self):
        run = self.copies(16)
        run.submit(self.database)
        moments = 0
        with self.daemon(run, recorded_delay_ms=20, in_flight_max=4):
            while open_packages(self.database) > 0:
                run.deliver(self.database)
                hurry(self.database)
                packages = self.in_work()
                moments += len(packages)
                if packages:
                    self.verify(packages=packages)
                self.no_half_writes()
            self.verify()
        self.assertGreater(moments, 5, "the run was over too early")


class DrainTest(EndCase):
    def test_a_daemon_that_is_told_to_stop_hands_everything_over(self):
        for signals in ([signal.SIGTERM], [signal.SIGTERM] * 2, [signal.SIGINT]):
            with self.subTest(why=" and ".join(one.name for one in signals)):
                self.database = self.another_database()
                package, = self.n_nn.submit(self.database)
                with self.daemon(self.n_nn, recorded_delay_ms=200) as daemon:
                    wait_for(lambda: self.database.psql("select count(*) from flagman.call") > "0",
                             "the first answer")
                    for one in signals:
                        daemon.process.send_signal(one)
                    self.assertEqual(daemon.process.wait(10), 0)
                self.assertEqual(self.database.status(package), "running")
                self.assertEqual(self.database.psql("select count(*) from flagman.worker"), "0")
                # Due at once, and nobody died of it.
                self.assertEqual(self.database.rows(
                    "select worker_id is null, run_at <= now(), crashes from flagman.task"),
                    [["t", "t", "0"]])
                self.no_half_writes()
                self.verify()
                with self.daemon(self.n_nn):
                    self.finish(self.n_nn)
                self.same_end(self.n_nn)


if __name__ == "__main__":
    case.main()
