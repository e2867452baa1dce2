"""What every integration test begins with."""

import argparse
import pathlib
import sys
import unittest

from cluster import Cluster, Flagman, RecordedRun

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
RUNS = SOURCE / "tests" / "data" / "runs"


class DatabaseCase(unittest.TestCase):
    """One server a class, one migrated database a test."""

    cluster_options = ()

    @classmethod
    def setUpClass(cls):
        cls.flagman = Flagman(arguments.flagman, SOURCE)
        cls.addClassCleanup(cls.flagman.remove)
        cls.cluster = Cluster(cls.flagman, cls.cluster_options)
        cls.addClassCleanup(cls.cluster.remove)
        cls.n_nn = RecordedRun(RUNS / "n-nn.run.jsonl")

    def setUp(self):
        self.database = self.cluster.make_database()
        self.addCleanup(self.database.drop)

    def run_flagman(self, *words, check=None, role=None, **keywords):
        return self.flagman.run(*words, database=self.database.dsn(role), check=check, **keywords)


def main():
    """The test program: --flagman PROGRAM, then what unittest takes."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--flagman", required=True)
    global arguments
    known, rest = parser.parse_known_args()
    arguments = known
    # The module that the tests were imported from has its own copy of this one's names.
    sys.modules["case"].arguments = known
    result = unittest.main(module="__main__", argv=[sys.argv[0], *rest], exit=False, verbosity=2)
    if result.result.testsRun == 0:
        sys.exit("no test ran")
    sys.exit(not result.result.wasSuccessful())
