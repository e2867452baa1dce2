"""What does the program do while the database is away, full, locked, of another schema, or refuses?

It says so in one line and tries again, where waiting may help; where it may not, it ends with
exit code 2. Whatever happened, the run ends as if it had not."""

import contextlib
import datetime
import re
import signal
import subprocess

import case
from cluster import Daemon, wait_for
from crash_test import EndCase, entries, hurry, journal, open_packages

CONFIGURATION = re.compile(r"^[a-z_.]+ = ")


def log_lines(daemon, event=""):
    """The daemon's lines about the event, without the configuration at its start."""
    lines = daemon.log.read_text(errors="replace").splitlines()
    return [line for line in lines
            if not CONFIGURATION.match(line) and (not event or f" {event} " in line)]


def wait_for_lines(daemon, event, count, seconds=60):
    return wait_for(lambda: len(log_lines(daemon, event)) >= count and log_lines(daemon, event),
                    f"{count} lines about {event}; the log:\n" + "\n".join(log_lines(daemon)[-9:]),
                    seconds)


def time_of(line):
    return datetime.datetime.fromisoformat(line.split(" ", 1)[0].replace("Z", "+00:00"))


class TroubleCase(EndCase):
    def setUp(self):
        super().setUp()
        self.addCleanup(self.bring_server_back)

    def bring_server_back(self):
        if self.cluster.server is None:
            self.cluster.start()

    def get_on(self, run, more=50):
        """Waits until the run has got on by some entries, and is not at its end."""
        before = entries(self.database)

        def got_on():
            run.deliver(self.database)
            hurry(self.database)
            return entries(self.database) >= before + more
        wait_for(got_on, f"{more} entries more than {before}")
        self.assertGreater(open_packages(self.database), 0, "the run was at its end too early")

    def assert_one_line(self, stderr, *words):
        lines = [line for line in stderr.splitlines() if not CONFIGURATION.match(line)]
        self.assertEqual(len(lines), 1, stderr)
        for word in words:
            self.assertIn(word, lines[0])

    def ends_at_once(self, database, *words):
        """`serve` ends with exit code 2 and one line."""
        with Daemon(self.flagman, database, self.n_nn.file) as daemon:
            self.assertEqual(daemon.process.wait(20), 2, daemon.log.read_text())
            self.assert_one_line(daemon.log.read_text(), *words)

    def without_haste(self, daemon, seconds, most=20):
        """Counts the lines over a few seconds; nothing is waited for but time."""
        before = len(log_lines(daemon))
        with self.assertRaises(subprocess.TimeoutExpired):
            daemon.process.wait(seconds)
        self.assertLessEqual(len(log_lines(daemon)) - before, most, log_lines(daemon)[-3:])

    def package_file(self):
        file = self.flagman.folder / "package.json"
        file.write_text("{}")
        return str(file)

    def commands(self):
        return [("status",), ("submit", self.package_file()), ("journal", "verify")]


class AwayTest(TroubleCase):
    def test_a_daemon_that_starts_before_its_database_waits_for_it(self):
        self.cluster.stop()
        with self.daemon(self.n_nn) as daemon:
            lines = wait_for_lines(daemon, "database_away", 6)
            self.assertEqual(log_lines(daemon), lines)
            # The first is a look before the work begins.
            pauses = [int(re.search(r"again_in_ms=(\d+)", line).group(1)) for line in lines[1:6]]
            self.assertEqual(pauses, [pauses[0] * 2 ** i for i in range(5)])
            for pause, line, following in zip(pauses, lines[1:], lines[2:6]):
                passed = time_of(following) - time_of(line)
                self.assertGreaterEqual(passed, datetime.timedelta(milliseconds=pause - 5))
            self.assertTrue(daemon.is_running())
            self.cluster.start()
            self.n_nn.submit(self.database)
            self.finish(self.n_nn)
            self.assertEqual(daemon.terminate(), 0)
        self.same_end(self.n_nn)

    def test_a_server_that_goes_down_in_the_middle_four_times_changes_nothing(self):
        run = self.copies(12)
        run.submit(self.database)
        with self.daemon(run, recorded_delay_ms=60, in_flight_max=2) as daemon:
            for how, longer_than_the_lease in ((signal.SIGINT, True), (signal.SIGQUIT, True),
                                               (signal.SIGINT, False), (signal.SIGQUIT, False)):
                self.get_on(run)
                event = "lease_lost" if longer_than_the_lease else "append_failed"
                noticed = len(log_lines(daemon, event))
                self.cluster.stop(how)
                if longer_than_the_lease:
                    wait_for_lines(daemon, event, noticed + 1)
                self.cluster.start()
                self.no_half_writes()
            self.finish(run)
            self.assertEqual(daemon.terminate(), 0)
        self.same_end(run)

    def test_a_daemon_whose_lease_runs_out_while_its_database_is_away_does_not_hurry(self):
        self.n_nn.submit(self.database)
        with self.daemon(self.n_nn, recorded_delay_ms=60) as daemon:
            self.get_on(self.n_nn)
            self.cluster.stop()
            wait_for_lines(daemon, "lease_lost", 1)
            self.without_haste(daemon, 2)
            self.cluster.start()
            self.finish(self.n_nn)
            self.assertEqual(daemon.terminate(), 0)
        self.same_end(self.n_nn)

    def test_connections_that_are_cut_again_and_again_change_nothing(self):
        run = self.copies(8)
        run.submit(self.database)
        with self.daemon(run, recorded_delay_ms=60, in_flight_max=2, lease_ms=1000) as daemon:
            for _ in range(8):
                self.get_on(run)
                cut = self.cut_connections()
                self.assertGreater(cut, 0)
            self.finish(run)
            self.assertEqual(daemon.terminate(), 0)
        self.same_end(run)

    def cut_connections(self, condition="true"):
        return int(self.cluster.psql(
            "select count(pg_terminate_backend(pid)) from pg_stat_activity "
            f"where datname = '{self.database.name}' and {condition}", "postgres"))

    def test_an_append_that_was_committed_and_whose_reply_was_lost_is_found_again(self):
        run = self.copies(4)
        run.submit(self.database)
        with self.daemon(run, recorded_delay_ms=60, lease_ms=20_000) as daemon:
            self.get_on(run)
            # Every commit is made, and then waits for a standby that does not exist: whoever is
            # cut off there never hears of it.
            self.addCleanup(self.set_standby, "default")
            self.set_standby("'nobody'")
            for _ in range(3):
                before, failed = entries(self.database), len(log_lines(daemon, "append_failed"))

                def lost():
                    self.cut_connections("wait_event = 'SyncRep'")
                    return len(log_lines(daemon, "append_failed")) > failed
                wait_for(lost, "an append whose reply is lost")
                self.assertGreater(entries(self.database), before)
            self.set_standby("default")
            self.cut_connections()
            self.finish(run)
            self.assertEqual(daemon.terminate(), 0)
        self.same_end(run)

    def set_standby(self, name):
        self.cluster.psql(f"alter system set synchronous_standby_names = {name};\n"
                          "select pg_reload_conf()", "postgres")

    def test_a_daemon_whose_database_is_away_stops_when_it_is_told_to(self):
        self.n_nn.submit(self.database)
        with self.daemon(self.n_nn, recorded_delay_ms=60) as daemon:
            self.get_on(self.n_nn)
            self.cluster.stop()
            wait_for_lines(daemon, "lease_lost", 1)
            daemon.process.send_signal(signal.SIGTERM)
            self.assertEqual(daemon.process.wait(10), 0)
        self.cluster.start()
        with self.daemon(self.n_nn):
            self.finish(self.n_nn)
        self.same_end(self.n_nn)


class SchemaTest(TroubleCase):
    def current(self):
        return int(self.database.psql("select max(version) from flagman.schema_version"))

    def refused_by_all(self, *words):
        for role in ("flagman_worker", None):
            self.ends_at_once(self.database.dsn(role), *words)
            for command in self.commands():
                with self.subTest(why=f"{command[0]} as {role}"):
                    done = self.run_flagman(*command, role=role, check=2)
                    self.assert_one_line(done.stderr, *words)
                    self.assertEqual(done.stdout, "")

    def test_an_older_schema_is_refused_with_the_advice_to_migrate(self):
        current = self.current()
        for older, why in ((current - 1, "one migration is missing"), (0, "all are missing")):
            with self.subTest(why=why):
                self.database.psql(
                    f"delete from flagman.schema_version where version > {older}")
                self.refused_by_all(f"schema version {older},", f"needs {current}",
                                    "run flagman migrate")

    def test_an_empty_database_is_refused_with_the_advice_to_migrate(self):
        self.database = self.cluster.make_database(migrated=False)
        self.addCleanup(self.database.drop)
        self.refused_by_all("schema version 0,", "run flagman migrate")

    def test_a_newer_schema_is_refused_with_the_advice_to_take_a_newer_program(self):
        newer = self.current() + 1
        self.database.psql("insert into flagman.schema_version (version, name) "
                           f"values ({newer}, 'of the future')")
        self.refused_by_all(f"schema version {newer},", "use a newer flagman")
        done = self.run_flagman("migrate", check=2)
        self.assert_one_line(done.stderr, f"schema version {newer}", "use a flagman of that")
        self.assertEqual(self.current(), newer)

    def test_migrating_a_current_database_does_nothing(self):
        shape = self.shape(self.database)
        done = self.run_flagman("migrate", check=0)
        self.assertEqual(done.stdout,
                         f"schema version {self.current()}, 0 migrations applied\n")
        self.assertEqual(self.shape(self.database), shape)

    def test_migrating_an_empty_database_makes_the_whole_schema(self):
        database = self.cluster.make_database(migrated=False)
        self.addCleanup(database.drop)
        done = self.flagman.run("migrate", database=database.dsn(), check=0)
        current = self.current()
        self.assertEqual(done.stdout, f"schema version {current}, {current} migrations applied\n")
        self.assertEqual(self.shape(database), self.shape(self.database))

    def test_two_that_migrate_at_once_make_one_schema(self):
        for attempt in range(5):
            database = self.cluster.make_database(migrated=False)
            self.addCleanup(database.drop)
            file = self.flagman.configuration(database.dsn(), level="warning")
            both = [subprocess.Popen([self.flagman.program, "--config", file, "migrate"],
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                    for _ in range(2)]
            said = [one.communicate(timeout=60) for one in both]
            with self.subTest(attempt=attempt):
                self.assertEqual([one.returncode for one in both], [0, 0], said)
                # Each migration was applied by one of the two.
                applied = [int(re.search(r"(\d+) migrations", out).group(1)) for out, _ in said]
                self.assertEqual(sum(applied), self.current())
                self.assertEqual(self.shape(database), self.shape(self.database))

    def shape(self, database):
        """Tables, columns, functions, triggers, policies and privileges, as text."""
        return database.psql("""
            select * from (
              select 'column', table_name || '.' || column_name, data_type, '' acl
                from information_schema.columns where table_schema = 'flagman'
              union all
              select 'relation', relname, relkind::text, relacl::text from pg_class
                where relnamespace = 'flagman'::regnamespace
              union all
              select 'function', oid::regprocedure::text, md5(prosrc), proacl::text from pg_proc
                where pronamespace = 'flagman'::regnamespace
              union all
              select 'trigger', tgrelid::regclass || '.' || tgname, tgenabled::text, ''
                from pg_trigger where not tgisinternal
              union all
              select 'policy', polrelid::regclass || '.' || polname, polcmd::text, ''
                from pg_policy
              union all
              select 'version', name, version::text, '' from flagman.schema_version) shape
            order by 1, 2, 3""")


class RefusalTest(TroubleCase):
    def test_commands_under_a_role_that_may_not_end_with_one_line(self):
        self.cluster.psql("drop role if exists stranger; create role stranger login", "postgres")
        for user, words in (("stranger", "permission denied"), ("nobody_here", "does not exist")):
            for command in [*self.commands(), ("migrate",)]:
                with self.subTest(why=f"{command[0]} as {user}"):
                    done = self.flagman.run(*command, database=self.database.dsn(user=user),
                                            check=2)
                    self.assert_one_line(done.stderr, words)
        with self.subTest(why="serve as a stranger"):
            self.ends_at_once(self.database.dsn(user="stranger"), "permission denied")

    def test_a_daemon_whose_role_does_not_exist_keeps_trying_without_haste(self):
        self.cluster.psql("drop role if exists late", "postgres")
        self.n_nn.submit(self.database)
        with Daemon(self.flagman, self.database.dsn(user="late"), self.n_nn.file) as daemon:
            lines = wait_for_lines(daemon, "database_away", 6)
            self.assertEqual(log_lines(daemon), lines)
            self.without_haste(daemon, 2)
            self.assertTrue(daemon.is_running())
            self.cluster.psql("create role late login in role flagman_worker", "postgres")
            self.finish(self.n_nn)
            self.assertEqual(daemon.terminate(), 0)
        self.same_end(self.n_nn)

    def test_a_daemon_whose_privileges_are_taken_away_keeps_trying_without_haste(self):
        self.cluster.psql("drop role if exists fallen; create role fallen login "
                          "in role flagman_worker", "postgres")
        run = self.copies(4)
        run.submit(self.database)
        with Daemon(self.flagman, self.database.dsn(user="fallen"), run.file,
                    recorded_delay_ms=60) as daemon:
            self.get_on(run)
            self.cluster.psql("revoke flagman_worker from fallen", "postgres")
            wait_for_lines(daemon, "database_refuses", 2)
            self.without_haste(daemon, 2)
            self.assertTrue(daemon.is_running())
            self.no_half_writes()
            self.verify()
            self.cluster.psql("grant flagman_worker to fallen", "postgres")
            self.finish(run)
            self.assertEqual(daemon.terminate(), 0)
        self.same_end(run)


class FullTest(TroubleCase):
    @contextlib.contextmanager
    def trigger(self, condition, state, name="trouble"):
        """While it holds, the journal refuses rows of which the condition is true."""
        self.database.psql(f"""
            create function public.{name}() returns trigger language plpgsql as $$
            begin
              if {condition} then
                raise exception using errcode = '{state}', message = 'trouble made by a test';
              end if;
              return new;
            end $$;
            create trigger {name} before insert on flagman.journal
              for each row execute function public.{name}()""")
        try:
            yield
        finally:
            self.database.psql(f"drop trigger {name} on flagman.journal; "
                               f"drop function public.{name}()")

    def test_a_full_disk_is_waited_out(self):
        run = self.copies(4)
        run.submit(self.database)
        with self.daemon(run, recorded_delay_ms=60) as daemon:
            self.get_on(run)
            with self.trigger("true", "53100"):
                wait_for_lines(daemon, "append_failed", 4)
                before = entries(self.database)
                self.no_half_writes()
                self.verify()
                wait_for_lines(daemon, "append_failed", 6)
                self.assertLessEqual(len(log_lines(daemon)), 30, log_lines(daemon))
                self.assertEqual(entries(self.database), before)
                self.assertGreater(open_packages(self.database), 0)
            self.finish(run)
            self.assertEqual(daemon.terminate(), 0)
            self.assertEqual(log_lines(daemon, "append_refused"), [])
        self.same_end(run)

    def test_a_database_that_becomes_a_standby_is_waited_out(self):
        run = self.copies(4)
        run.submit(self.database)
        with self.daemon(run, recorded_delay_ms=60) as daemon:
            self.get_on(run)
            self.set_read_only("on")
            wait_for(lambda: len([line for line in log_lines(daemon) if "read-only" in line]) > 5,
                     "the daemon to feel it")
            wait_for_lines(daemon, "lease_lost", 1)
            before = entries(self.database)
            self.no_half_writes()
            self.verify()
            self.assertTrue(daemon.is_running())
            self.assertEqual(entries(self.database), before)
            self.set_read_only("off")
            self.finish(run)
            self.assertEqual(daemon.terminate(), 0)
        self.same_end(run)

    def set_read_only(self, value):
        """As after a failover: old connections are cut, new ones find a standby, or a primary."""
        self.cluster.psql(
            f"alter database {self.database.name} set default_transaction_read_only = {value}; "
            "select pg_terminate_backend(pid) from pg_stat_activity "
            f"where datname = '{self.database.name}'", "postgres")

    def test_one_package_that_the_database_refuses_for_a_while_does_not_hold_up_the_others(self):
        run = self.copies(4)
        refused, *others = run.submit(self.database)
        with self.daemon(run, recorded_delay_ms=60) as daemon:
            self.get_on(run)
            with self.trigger(f"new.package_id = {refused}", "P0001"):
                wait_for_lines(daemon, "append_refused", 1)

                def others_settled():
                    run.deliver(self.database)
                    return all(self.database.status(package) in ("accepted", "rejected")
                               for package in others)
                wait_for(others_settled, "the others to end as ever")
                wait_for_lines(daemon, "package_failed", 1)
                self.no_half_writes()
                self.verify()
                self.assertIn(self.database.status(refused), ("running", "awaiting_rebuild"))
            for line in log_lines(daemon, "package_failed"):
                self.assertIn(f"package_id={refused} ", line)
            self.finish(run)
            self.assertEqual(daemon.terminate(), 0)
        self.same_end(run)

    def test_one_package_that_the_database_refuses_for_good_is_set_aside_after_five_failures(self):
        run = self.copies(4)
        refused, *others = run.submit(self.database)
        # A delivery would move the record on, and the count begins anew when it does.
        del run.revisions["copy-0", "pairs/2", 2]
        answer = "convert_from(new.entry, 'UTF8') like '%\"kind\":\"answered\"%'"
        with self.daemon(run, recorded_delay_ms=20) as daemon, \
                self.trigger(f"new.package_id = {refused} and {answer}", "P0001"):
            self.finish(run)
            self.assertEqual(self.database.status(refused), "manual_review")
            self.assertEqual(len(log_lines(daemon, "package_failed")), 5)
            self.assertTrue(log_lines(daemon, "append_refused"))
            self.assertTrue(log_lines(daemon, "package_set_aside"))
        kinds = [entry["kind"] for entry in journal(self.database)["copy-0"]]
        self.assertEqual(kinds[-2:], ["package_set_aside", "package_decided"])
        self.assertEqual({self.database.status(package) for package in others}, {"rejected"})
        self.verify()


class LockTest(TroubleCase):
    @contextlib.contextmanager
    def lock(self, table, seconds):
        """A session that locks the table and is idle in its transaction for a while."""
        session = subprocess.Popen(
            [self.cluster.bin / "psql", "-X", "-q", "-v", "ON_ERROR_STOP=1",
             "-d", self.database.dsn()],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        try:
            session.stdin.write(f"begin; lock table {table} in exclusive mode;\n")
            session.stdin.flush()
            wait_for(lambda: self.database.rows(
                "select 1 from pg_locks where mode = 'ExclusiveLock' and granted "
                f"and relation = '{table}'::regclass"), "the lock")
            yield
            session.stdin.write(f"select pg_sleep({seconds});\ncommit;\n")
            session.stdin.close()
            self.assertEqual(session.wait(60), 0)
        finally:
            session.kill()
            session.wait()

    def test_a_table_that_somebody_locks_for_two_seconds_holds_up_and_changes_nothing(self):
        for table in ("flagman.task", "flagman.worker", "flagman.journal"):
            with self.subTest(why=f"{table} is locked"):
                self.database = self.another_database()
                run = self.copies(4)
                run.submit(self.database)
                with self.daemon(run, recorded_delay_ms=60) as daemon:
                    self.get_on(run)
                    with self.lock(table, 2):
                        before = entries(self.database)
                    self.finish(run)
                    self.assertGreater(entries(self.database), before)
                    self.assertEqual(daemon.terminate(), 0)
                self.same_end(run)


if __name__ == "__main__":
    case.main()
