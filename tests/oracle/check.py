"""`flagman check` in plain Python: every structural finding of a package (CONTRACTS §5).

    python3 check.py FILE...

Prints one JSON object a finding, as `flagman check --json` does, without the words for people.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from kinds import KINDS, Kind
from package import GAP_MAX, Rejected, comparison_faults, near_duplicate_items, read_document
from strict_json import NotJson, parse_strict
from texts import forget_texts


class Finding(NamedTuple):
    item: str | None  # sort/3; None: the document or a game
    code: str
    severity: str  # reject, flag or warn


def check_bytes(data: bytes, kinds: Mapping[str, Kind] = KINDS) -> list[Finding]:
    try:
        document = parse_strict(data.decode().removeprefix("\ufeff"))
    except (UnicodeDecodeError, NotJson):
        return [Finding(None, "bad_json", "reject")]
    return check_document(document, kinds)


def check_document(document: Any, kinds: Mapping[str, Kind] = KINDS) -> list[Finding]:
    """Findings of a document that was parsed already, in the order of its own text."""
    forget_texts()
    package = read_document(document, kinds, GAP_MAX)
    if isinstance(package, Rejected):
        return [Finding(None, code, "reject") for code in package.reasons]
    near = set(near_duplicate_items(package))
    findings = []
    for kind, game in package.games.items():
        relations = comparison_faults(game, range(len(game.items)))
        for item in game.items:
            ordinal = item.ordinal
            if item.faults or ordinal in relations or (kind, ordinal) in near:
                name = f"{kind}/{ordinal}"
                findings += [Finding(name, code, "flag") for code in (*item.faults, *relations.get(ordinal, ()))]
                if (kind, ordinal) in near:
                    findings.append(Finding(name, "near_duplicate_item", "warn"))
    return findings


def main(files: list[str]) -> int:
    findings = [(file, finding) for file in files for finding in check_bytes(Path(file).read_bytes())]
    for file, finding in findings:
        print(json.dumps({"file": file, **finding._asdict()}, ensure_ascii=False))
    return 1 if any(finding.severity != "warn" for _, finding in findings) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
