"""How fast are the checks? Everything in one run on one core, as ratios:

    python3 tests/bench/validators_bench.py --flagman build/flagman --bench build/tests/validators_bench

The packages are invented (tests/oracle), the same for all. Compared are the checks of packages that are
parsed already with a second implementation in Python (tests/oracle), the way from bytes to findings
with a bare parse into a document, and pair expansion with one RE2 a pair and with memcmp. Then the
slope of worst cases (1 is linear) and the memory of `flagman check` over more and more packages."""

import argparse
import cProfile
import json
import math
import os
import pathlib
import pstats
import random
import statistics
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(SOURCE / "tests" / "oracle"))

import check  # noqa: E402
import invent_package  # noqa: E402
from package import FORMAT, KINDS  # noqa: E402

ITEMS_A_GAME = 20


def make_package(rng):
    games = {}
    for name, kind in KINDS.items():
        game = invent_package.shared_part(rng, kind)
        maker = invent_package.ItemMaker(rng, kind, game)
        games[name] = {**game, "data": [maker.item() for _ in range(ITEMS_A_GAME)]}
    return {"format": FORMAT, "topic": "Н и НН", "games": games}


def cpp_times(bench, folder, names, repetitions):
    """Median seconds of one round, by benchmark; the repetitions of all stand mixed."""
    done = subprocess.run(
        [bench, f"--benchmark_filter={names}", f"--benchmark_repetitions={repetitions}",
         "--benchmark_enable_random_interleaving=true", "--benchmark_min_time=0.2",
         "--benchmark_format=json"],
        env={**os.environ, "FLAGMAN_BENCH_PACKAGES": str(folder)}, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{bench}: {done.stderr}")
    times = {}
    for run in json.loads(done.stdout)["benchmarks"]:
        if run.get("run_type") == "iteration":
            scale = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3}[run["time_unit"]]
            times.setdefault(run["run_name"], []).append(run["cpu_time"] * scale)
    return {name: statistics.median(seconds) for name, seconds in times.items()}


def python_time(documents, rounds):
    """Median processor seconds of one round over all documents."""
    times = []
    for _ in range(rounds):
        begin = time.process_time()
        for document in documents:
            check.check_document(document)
        times.append(time.process_time() - begin)
    return statistics.median(times)


def memory_of(flagman, files):
    """Greatest resident size of `flagman check` over these files, in MiB."""
    program = ("import resource, subprocess, sys;"
               "subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL);"
               "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    done = subprocess.run([sys.executable, "-c", program, flagman, "check", *map(str, files)],
                          capture_output=True, text=True, check=True)
    return int(done.stdout) / 1024


def print_slopes(times):
    """Slope of the time over the size, between the smallest and the largest, in a double logarithm."""
    series = {}
    for name, seconds in times.items():
        case, size = name.removesuffix("/iterations:1").rsplit("/", 1)
        series.setdefault(case, []).append((int(size), seconds))
    for case, points in series.items():
        points.sort()
        (least, first), (most, last) = points[0], points[-1]
        slope = math.log(last / first) / math.log(most / least)
        print(f"{case:34} {least:>9,} to {most:>10,}: {first * 1e3:9.2f} ms to {last * 1e3:9.2f} ms,"
              f" slope {slope:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--flagman", required=True)
    parser.add_argument("--bench", required=True)
    parser.add_argument("--packages", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--profile", action="store_true",
                        help="where the Python implementation spends its time, and nothing else")
    options = parser.parse_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

    rng = random.Random(1)
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary) / "packages"
        folder.mkdir()
        texts = [json.dumps(make_package(rng), ensure_ascii=False, separators=(",", ":"))
                 for _ in range(options.packages)]
        files = [folder / f"{number:03}.json" for number in range(options.packages)]
        for file, text in zip(files, texts):
            file.write_text(text)
        documents = [json.loads(text) for text in texts]
        items = sum(len(game["data"]) for document in documents for game in document["games"].values())
        size = sum(len(text.encode()) for text in texts)
        print(f"{len(texts)} packages, {items:,} items, {size:,} bytes")

        if options.profile:
            profile = cProfile.Profile()
            profile.runcall(python_time, documents, 1)
            pstats.Stats(profile).sort_stats("tottime").print_stats(25)
            return 0
        ours = cpp_times(options.bench, folder, "parse_into_document|to_findings|pair", options.rounds)
        theirs = python_time(documents, options.rounds)
        checks = ours["document_to_findings"]
        print(f"checks of parsed packages:         {items / checks:12,.0f} items/s")
        print(f"  the same in Python:              {items / theirs:12,.0f} items/s,"
              f" {theirs / checks:.1f} times slower")
        print(f"from bytes to findings:            {size / ours['bytes_to_findings'] / 1e6:12.1f} MB/s")
        print(f"  a bare parse into a document:    {size / ours['parse_into_document'] / 1e6:12.1f} MB/s,"
              f" the whole way takes {ours['bytes_to_findings'] / ours['parse_into_document']:.2f} of its time")
        print(f"pair expansion:                    {ours['expand_pair'] * 1e9:12.0f} ns a pair")
        print(f"  an RE2 compiled for the pair:    {ours['expand_pair_by_re2'] * 1e9:12.0f} ns,"
              f" {ours['expand_pair_by_re2'] / ours['expand_pair']:.0f} times slower")
        print(f"  comparing the bytes of both:     {ours['compare_pair_bytes'] * 1e9:12.0f} ns,"
              f" {ours['expand_pair'] / ours['compare_pair_bytes']:.1f} times faster")
        print()
        print_slopes(cpp_times(options.bench, folder, "long_item|many_items|many_gaps", 1))
        print()
        for copies in (1, 10, 100):
            print(f"flagman check of {copies * len(files):5,} packages: "
                  f"{memory_of(options.flagman, files * copies):6.1f} MiB at most")
    return 0


if __name__ == "__main__":
    sys.exit(main())
