"""The daemon over a real database: packages go in, and their fate is what the replay says."""

import json
import unittest

import case
from cluster import Daemon, wait_for


class ServeTest(case.DatabaseCase):
    def replay(self, file):
        done = self.run_flagman("replay", str(file), "--json", check=0)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_a_package_goes_in_and_comes_out_as_the_replay_says(self):
        packages = self.n_nn.submit(self.database)
        with Daemon(self.flagman, self.database.dsn("flagman_worker"), self.n_nn.file) as daemon:
            self.n_nn.settle(self.database, packages)
            self.assertEqual(daemon.terminate(), 0)
        expected = {line["item"]: line for line in self.replay(self.n_nn.file) if "item" in line}
        rows = self.database.rows(
            "select item, revision, outcome, route, array_to_string(reasons, ',') "
            "from flagman.item_status")
        self.assertEqual(len(rows), len(expected))
        self.assertGreater(len(rows), 90)
        for item, revision, outcome, route, reasons in rows:
            with self.subTest(item=item):
                want = expected[item]
                self.assertEqual((int(revision), outcome, route, reasons),
                                 (want["revision"], want["outcome"], want["route"],
                                  ",".join(want["reasons"])))
        self.run_flagman("journal", "verify", role="flagman_auditor", check=0)
        self.assertEqual(self.database.psql("select count(*) from flagman.worker"), "0")

    def test_a_record_of_the_package_replays_to_the_same_decisions(self):
        packages = self.n_nn.submit(self.database)
        with Daemon(self.flagman, self.database.dsn("flagman_worker"), self.n_nn.file):
            self.n_nn.settle(self.database, packages)
        run = self.flagman.folder / "recorded.run.jsonl"
        run.write_text(self.run_flagman("record", "n-nn", role="flagman_auditor", check=0).stdout)
        self.run_flagman("replay", str(run), "--diff", check=0)
        self.assertEqual(self.replay(run), self.replay(self.n_nn.file))


if __name__ == "__main__":
    case.main()
