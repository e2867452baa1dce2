#!/usr/bin/env python3
"""Checks random tricky packages with flagman and with the oracle, and compares every finding.

The oracle was written from the rules' definitions alone; where the two differ, one of them misreads a
definition. A seed and a number name a package, `--keep` keeps them all.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from random import Random
from typing import Any

from check import Finding, check_bytes
from invent_tricky import tricky_bytes

# Every code that structure alone can give with the kinds as they are; `too_short` needs a kind that asks for it.
CODES = (
    "bad_json", "wrong_format", "missing_field", "wrong_type", "unknown_field", "too_long", "too_many", "empty_text", "too_few",
    "key_outside_domain", "forbidden_character", "mixed_alphabet", "markup", "placeholder", "duplicate_option", "gap_missing",
    "giveaway", "pair_almost_expands", "duplicate_item", "ambiguous_pair", "contradictory_keys", "near_duplicate_item",
)
PACKAGES_FOR_ALL_CODES = 300
FILES_AT_ONCE = 500


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--flagman", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=PACKAGES_FOR_ALL_CODES)
    parser.add_argument("--show", type=int, default=10, help="how many differences are shown")
    parser.add_argument("--keep", type=Path, help="folder for the packages (default: a temporary one)")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        packages = {}
        for number in range(options.count):
            file = folder / f"{options.seed}-{number}.json"
            packages[file] = tricky_bytes(Random(f"{options.seed}/{number}"))
            file.write_bytes(packages[file])
        theirs = run_flagman(options.flagman, list(packages))
    ours = {file: judged(check_bytes(data)) for file, data in packages.items()}

    differing = [file for file in packages if judged(theirs[file]) != ours[file]]
    codes: Counter[str] = Counter(finding.code for findings in ours.values() for finding in findings)
    show_differences(differing, packages, ours, theirs, options.show)
    items = sum(map(item_count, packages.values()))
    print(f"{len(packages)} packages, {items} items; findings: " + ", ".join(f"{codes[code]} {code}" for code in sorted(codes)))
    missing = [code for code in CODES if not codes[code]] if len(packages) >= PACKAGES_FOR_ALL_CODES else []
    if missing:
        print(f"nothing was found to be {', '.join(missing)}")
    if not items or not codes:
        print("nothing was compared")
        return 1
    print(f"{len(packages) - len(differing)} of {len(packages)} packages are judged alike")
    return 1 if differing or missing else 0


def run_flagman(binary: str, files: list[Path]) -> dict[Path, set[Finding]]:
    found: defaultdict[Path, set[Finding]] = defaultdict(set)
    for start in range(0, len(files), FILES_AT_ONCE):
        batch = files[start : start + FILES_AT_ONCE]
        done = subprocess.run([binary, "check", "--json", *map(str, batch)], capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1):
            sys.exit(f"{binary} check: exit {done.returncode}: {done.stderr[:2000]}")
        for line in done.stdout.split("\n")[:-1]:  # a detail may quote other line breaks
            finding = json.loads(line)
            found[Path(finding["file"])].add(Finding(finding["item"], finding["code"], finding["severity"]))
    if unknown := set(found) - set(files):
        sys.exit(f"{binary} check: findings of files that were not given: {sorted(map(str, unknown))[:3]}")
    return found


def judged(findings: Any) -> set[Finding]:
    """Of a rejected document only why it was rejected counts."""
    rejections = {finding for finding in findings if finding.severity == "reject"}
    return rejections or set(findings)


def show_differences(
    differing: list[Path], packages: dict[Path, bytes], ours: dict[Path, set[Finding]], theirs: dict[Path, set[Finding]], most: int
) -> None:
    shown = 0
    for file in differing:
        for finding in sorted(judged(theirs[file]) ^ ours[file], key=str):
            if shown == most:
                print("…")
                return
            shown += 1
            who = "the oracle alone" if finding in ours[file] else "flagman alone"
            print(f"{file.name}: {who}: {finding.item or 'the document'}: {finding.code} ({finding.severity})")
            print(f"    {written(packages[file], finding.item)}")


def written(package: bytes, name: str | None) -> str:
    """The item as JSON, what nobody sees escaped; and its game's shared part."""
    text = package.decode("utf-8", "backslashreplace")
    if name is None:
        return readable(text[:600])
    kind, ordinal = name.split("/")
    game = json.loads(text)["games"][kind]
    shared = {field: value for field, value in game.items() if field != "data"}
    return readable(json.dumps([game["data"][int(ordinal)], shared], ensure_ascii=False))


def readable(text: str) -> str:
    return "".join(sign if sign.isprintable() else f"\\u{ord(sign):04x}" for sign in text)


def item_count(package: bytes) -> int:
    try:
        return sum(len(game["data"]) for game in json.loads(package)["games"].values())
    except (ValueError, TypeError, KeyError, AttributeError):
        return 0


if __name__ == "__main__":
    sys.exit(main())
