#!/usr/bin/env python3
"""How many items a second the plain-Python checks do, on sound packages of all ten kinds.

    python3 bench.py [--packages 20] [--items 100] [--write DIR] [--profile]

Reading the JSON strictly and all checks are timed, inventing the packages is not. `--write` leaves the same
packages for another program.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import pstats
import time
from pathlib import Path
from random import Random
from typing import Any

from check import check_bytes
from invent_package import ALL_KINDS, DOCUMENT_HEAD, ItemMaker, shared_part


def sound_package(rng: Random, items: int) -> dict[str, Any]:
    document: dict[str, Any] = dict(DOCUMENT_HEAD) | {"games": {}}
    for kind in ALL_KINDS:
        raw = shared_part(rng, kind)
        maker = ItemMaker(rng, kind, raw)
        raw["data"] = [maker.item() for _ in range(items)]
        document["games"][kind.name] = raw
    return document


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--packages", type=int, default=20)
    parser.add_argument("--items", type=int, default=100, help="of each game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", type=Path)
    parser.add_argument("--profile", action="store_true")
    options = parser.parse_args()

    documents = [sound_package(Random(f"{options.seed}/{i}"), options.items) for i in range(options.packages)]
    packages = [json.dumps(document, ensure_ascii=False).encode() for document in documents]
    if options.write is not None:
        options.write.mkdir(parents=True, exist_ok=True)
        for number, package in enumerate(packages):
            (options.write / f"{options.seed}-{number}.json").write_bytes(package)

    profile = cProfile.Profile()
    if options.profile:
        profile.enable()
    begin = time.perf_counter()
    findings = [finding for package in packages for finding in check_bytes(package)]
    seconds = time.perf_counter() - begin
    profile.disable()

    items = options.packages * len(ALL_KINDS) * options.items
    faults = [finding for finding in findings if finding.severity != "warn"]
    print(f"{items} items, {sum(map(len, packages))} bytes in {seconds:.2f} s: {items / seconds:,.0f} items/s; "
          f"{len(faults)} faults, {len(findings) - len(faults)} warnings")
    if options.profile:
        pstats.Stats(profile).sort_stats("tottime").print_stats(25)


if __name__ == "__main__":
    main()
