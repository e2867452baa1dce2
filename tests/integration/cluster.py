"""A private PostgreSQL for tests: one server a test process, one database a test.

Every database is made from a template that `flagman migrate` has brought to this version."""

import json
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import tempfile
import time


class SqlError(Exception):
    """What psql said; `state` is the SQLSTATE."""

    def __init__(self, message):
        super().__init__(message)
        first = message.splitlines()[0] if message else ""
        # psql with VERBOSITY=verbose: "ERROR:  42501: permission denied …"
        parts = first.split(":")
        self.state = parts[1].strip() if len(parts) > 2 else ""


def wait_for(condition, what, seconds=60):
    """Polls `condition` until it gives something true, and gives that back."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {seconds} s in vain for {what}")
        time.sleep(0.02)


def programs():
    found = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/postgres"),
                   key=lambda path: int(path.parent.parent.name))
    if not found:
        raise RuntimeError("PostgreSQL is not installed: install the package postgresql")
    return found[-1].parent


def step_down():
    """Arguments for subprocess: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    user = pwd.getpwnam("postgres")
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


class Cluster:
    """A server in a temporary folder, over a Unix socket alone."""

    def __init__(self, flagman, options=()):
        self.flagman = flagman
        self.options = list(options)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="flagman-it-"))
        if os.geteuid() == 0:
            user = pwd.getpwnam("postgres")
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        self.bin = programs()
        self.server = None
        self.databases = 0
        with open(self.folder / "initdb.log", "wb") as log:
            subprocess.run([self.bin / "initdb", "-D", self.folder / "data", "-U", "owner",
                            "--auth=trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"],
                           check=True, stdout=log, stderr=log, cwd="/", **step_down())
        self.start()
        self.psql("create database template_flagman", "postgres")
        self.flagman.run("migrate", database=self.dsn("template_flagman"), check=0)

    def start(self):
        log = open(self.folder / "postgres.log", "ab")
        self.server = subprocess.Popen(
            [self.bin / "postgres", "-D", self.folder / "data", "-k", self.folder,
             "-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=50",
             *[word for option in self.options for word in ("-c", option)]],
            stdout=log, stderr=log, cwd="/", **step_down())
        log.close()
        wait_for(self.answers, "PostgreSQL to come up")

    def answers(self):
        return subprocess.run([self.bin / "pg_isready", "-q", "-h", self.folder, "-d", "postgres",
                               "-U", "owner"]).returncode == 0

    def stop(self, how=signal.SIGINT):
        if self.server is not None:
            self.server.send_signal(how)
            self.server.wait(60)
            self.server = None

    def crash(self):
        """As a kill -9 of all its processes."""
        self.stop(signal.SIGQUIT)

    def remove(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def dsn(self, database, role=None, user="owner"):
        role = f" options='-c role={role}'" if role else ""
        return f"host='{self.folder}' user='{user}' dbname='{database}'{role}"

    def make_database(self, migrated=True, template="template_flagman"):
        """A new one: a copy of `template`, to which nobody may be connected, or empty."""
        self.databases += 1
        name = f"test_{self.databases}"
        template = f" template {template}" if migrated else ""
        self.psql(f"create database {name}{template}", "postgres")
        return Database(self, name)

    def psql(self, sql, database, role=None):
        """The rows of the last statement, fields separated by |. Raises SqlError."""
        done = subprocess.run(
            [self.bin / "psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1",
             "-v", "VERBOSITY=verbose", "-d", self.dsn(database, role), "-f", "-"],
            input=sql.encode(), capture_output=True)
        if done.returncode != 0:
            message = done.stderr.decode(errors="replace")
            at = max(message.find("ERROR:"), message.find("FATAL:"))
            raise SqlError(message[max(at, 0):].strip())
        return done.stdout.decode().rstrip("\n")


class Database:
    def __init__(self, cluster, name):
        self.cluster = cluster
        self.name = name

    def dsn(self, role=None, user="owner"):
        return self.cluster.dsn(self.name, role, user)

    def psql(self, sql, role=None):
        return self.cluster.psql(sql, self.name, role)

    def rows(self, sql, role=None):
        text = self.psql(sql, role)
        return [line.split("|") for line in text.splitlines()] if text else []

    def status(self, package):
        return self.psql(f"select status from flagman.package_status where id = {package}")

    def drop(self):
        self.cluster.psql(f"drop database if exists {self.name} with (force)", "postgres")


class Flagman:
    """The program under test."""

    def __init__(self, program, source):
        self.program = pathlib.Path(program).resolve()
        self.source = pathlib.Path(source).resolve()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="flagman-it-"))
        self.configurations = 0

    def configuration(self, database, run=None, level="info", **worker):
        """Writes a configuration with short times and gives its file's name."""
        times = {"lease_ms": 600, "heartbeat_ms": 100, "poll_ms": 50, "rescue_ms": 100, "batch_ms": 1}
        delay = worker.pop("recorded_delay_ms", 0)
        times.update(worker)
        self.configurations += 1
        file = self.folder / f"{self.configurations}.toml"
        lines = ["[log]", f'level = "{level}"', "[database]", f"connection = {json.dumps(database)}"]
        if run:
            lines += ["[models]", f"recorded = {json.dumps(str(run))}", f"recorded_delay_ms = {delay}"]
        lines += ["[worker]"] + [f"{name} = {value}" for name, value in times.items()]
        file.write_text("\n".join(lines) + "\n")
        return file

    def run(self, *arguments, database, check=None, **keywords):
        """Runs a command to its end. `check` is the exit code that it must have."""
        file = self.configuration(database, level="warning")
        done = subprocess.run([self.program, "--config", file, *arguments], capture_output=True,
                              text=True, timeout=120, cwd=self.folder, **keywords)
        if check is not None and done.returncode != check:
            raise AssertionError(f"{arguments} exits {done.returncode}, not {check}:\n"
                                 f"{done.stdout}\n{done.stderr}")
        return done

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


class Daemon:
    """`flagman serve` on a database; its log is kept for the failure's message."""

    def __init__(self, flagman, database, run, die_at=None, **worker):
        self.log = flagman.folder / f"serve-{time.monotonic_ns()}.log"
        file = flagman.configuration(database, run, **worker)
        environment = dict(os.environ)
        environment.pop("FLAGMAN_DIE_AT", None)
        if die_at:
            environment["FLAGMAN_DIE_AT"] = die_at
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen([flagman.program, "--config", file, "serve"],
                                            stdout=log, stderr=log, env=environment, cwd="/")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    def says(self, text):
        return text in self.log.read_text(errors="replace")

    def wait_to_say(self, text, seconds=60):
        wait_for(lambda: self.says(text), f"the daemon to say {text!r}:\n" +
                 self.log.read_text(errors="replace")[-2000:], seconds)

    def is_running(self):
        return self.process.poll() is None

    def kill(self):
        if self.is_running():
            self.process.kill()
        self.process.wait(60)

    def terminate(self):
        """A clean stop; gives the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)


class RecordedRun:
    """A recorded run, and a generator that delivers its revisions."""

    def __init__(self, file):
        self.file = pathlib.Path(file)
        lines = [json.loads(line) for line in self.file.read_text().splitlines()]
        self.packages = {line["package"]: line["body"] for line in lines if line["type"] == "package"}
        self.revisions = {(line["package"], line["item"], line["revision"]): line["data"]
                          for line in lines if line["type"] == "rebuild"}

    def submit(self, database):
        """Submits every package as a generator would; gives their numbers."""
        numbers = []
        for body in self.packages.values():
            text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
            numbers.append(int(database.psql(
                f"select flagman.submit($body${text}$body$::text, null, null)",
                "flagman_generator")))
        return numbers

    def deliver(self, database):
        """Delivers what is open now and recorded. Gives how many."""
        rows = database.rows(
            "select r.id, p.idempotency_key, r.item, r.revision from flagman.rebuilds_open r "
            "join flagman.package p on p.id = r.package", "flagman_generator")
        done = 0
        for number, package, item, revision in rows:
            data = self.revisions.get((package, item, int(revision)))
            if data is None:
                continue
            text = json.dumps(data, ensure_ascii=False)
            database.psql(f"select flagman.deliver_rebuild({number}, $item${text}$item$)",
                          "flagman_generator")
            done += 1
        return done

    def settle(self, database, packages, seconds=60):
        """Delivers until every package is settled."""
        final = ("accepted", "rejected", "manual_review", "cancelled")

        def settled():
            self.deliver(database)
            return all(database.status(package) in final for package in packages)
        wait_for(settled, f"packages {packages} to be settled", seconds)
