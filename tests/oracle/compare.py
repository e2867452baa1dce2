#!/usr/bin/env python3
"""Replays random recorded runs with flagman and with the oracle, and compares every line.

The oracle was written from the contract alone; where the two differ, one of them misreads it. A run
that differs is kept and named, so that a seed and a number are the whole report.
"""

from __future__ import annotations

import argparse
import collections
import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def replay(command: list[str]) -> tuple[int, str]:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--flagman", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--keep", help="folder for the runs (default: a temporary one)")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(options.keep or temporary)
        subprocess.run(
            [sys.executable, "-B", str(HERE / "make_runs.py"), "--seed", str(options.seed),
             "--count", str(options.count), "--out", str(folder)], check=True)
        runs = sorted(folder.glob("*.run.jsonl"))
        if len(runs) != options.count:
            print(f"{len(runs)} runs were made, not {options.count}")
            return 1
        seen: collections.Counter[str] = collections.Counter()
        differing = 0
        for run in runs:
            ours = replay([options.flagman, "replay", str(run), "--json"])
            oracle = replay([sys.executable, "-B", str(HERE / "replay_oracle.py"), str(run)])
            seen[f"exit {ours[0]}"] += 1
            for line in ours[1].splitlines():
                value = json.loads(line)
                seen[value["outcome"] if "item" in value else "package " + value["outcome"]] += 1
            if ours == oracle:
                continue
            differing += 1
            print(f"{run.name}: exit {ours[0]}, the oracle's {oracle[0]}")
            for mine, theirs in zip(ours[1].splitlines(), oracle[1].splitlines()):
                if mine != theirs:
                    print(f"  flagman: {mine}\n  oracle:  {theirs}")
                    break
        print(", ".join(f"{count} {name}" for name, count in sorted(seen.items())))
        # Random runs that never reach an outcome would compare nothing of it.
        for outcome in ("accepted", "rejected", "manual_review", "flagged", "not_recorded"):
            if not seen[outcome]:
                print(f"no item of any run ended {outcome}")
                differing += 1
        print(f"{len(runs) - differing} of {len(runs)} runs are the same")
        return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
