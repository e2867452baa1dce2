"""How much does sharing a transaction bring? One worker, the same packages, two configurations in one
run, over a PostgreSQL with fsync on:

    python3 tests/bench/worker_bench.py --flagman build/flagman [--packages 200]

Prints journal entries a second for each, and their ratio."""

import argparse
import json
import pathlib
import sys
import time

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(SOURCE / "tests" / "integration"))

from cluster import Cluster, Daemon, Flagman, wait_for  # noqa: E402


def copies(source, count, target):
    """A recorded run of `count` packages like the one in `source`, under other ids."""
    lines = [json.loads(line) for line in source.read_text().splitlines()]
    with open(target, "w") as out:
        out.write(json.dumps(lines[0], ensure_ascii=False) + "\n")
        for number in range(count):
            name = f"p-{number}"
            for line in lines[1:-1]:
                if line["type"] == "decision":
                    continue
                line = dict(line, package=name)
                if line["type"] == "package":
                    line["body"] = dict(line["body"], id=name)
                out.write(json.dumps(line, ensure_ascii=False) + "\n")
        out.write('{"type": "end"}\n')
    return [f"p-{number}" for number in range(count)]


def measure(flagman, cluster, run, **worker):
    """Entries a second from the worker's start until every package waits for its author."""
    database = cluster.make_database()
    for line in run.read_text().splitlines():
        value = json.loads(line)
        if value["type"] == "package":
            body = json.dumps(value["body"], ensure_ascii=False)
            database.psql(f"select flagman.submit($body${body}$body$::text, null, null)")
    with Daemon(flagman, database.dsn("flagman_worker"), run, level="warning", lease_ms=30000,
                heartbeat_ms=5000, poll_ms=1000, rescue_ms=5000, **worker):
        wait_for(lambda: database.psql("select count(*) > 0 from flagman.journal") == "t",
                 "the first entry", 120)
        begun = time.monotonic()
        before = int(database.psql("select count(*) from flagman.journal"))
        wait_for(lambda: database.psql(
            "select count(*) from flagman.package where status in ('queued', 'running')") == "0",
            "the end", 600)
        seconds = time.monotonic() - begun
        entries = int(database.psql("select count(*) from flagman.journal")) - before
    database.drop()
    return entries / seconds


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--flagman", required=True)
    parser.add_argument("--packages", type=int, default=200)
    options = parser.parse_args()
    flagman = Flagman(options.flagman, SOURCE)
    cluster = Cluster(flagman, ["fsync=on"])
    try:
        run = flagman.folder / "many.run.jsonl"
        copies(SOURCE / "tests/data/runs/n-nn.run.jsonl", options.packages, run)
        shared = measure(flagman, cluster, run, batch_ms=5, batch_max=500)
        alone = measure(flagman, cluster, run, batch_ms=0, batch_max=1)
        print(f"{options.packages} packages: {shared:.0f} entries/s with shared transactions, "
              f"{alone:.0f} with one a change: {shared / alone:.1f} times")
    finally:
        cluster.remove()
        flagman.remove()


if __name__ == "__main__":
    main()
