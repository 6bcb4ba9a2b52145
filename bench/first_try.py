"""The first try on programs that nobody who works on gpuport had seen, from the judge's JSON.

    python .ci/acceptance.py --cases FOLDER --json round.json ...
    python bench/first_try.py FOLDER round.json ... --words "what the round was" [--save]

A program is within its budgets where no count is more than a third above the one that its author
allowed; a function is as expected where the report says what the author wrote down.
"""

from __future__ import annotations

import argparse
import json
import re
import tomllib
from datetime import date
from pathlib import Path

RESULTS = Path(__file__).parent / "results" / "first_try.json"
_OVER = re.compile(r"(?:launches|h2d|d2h|syncs) (\d+) > (\d+)")
_DIFFERS = ("values", "stdout", "dtype", "shape", "nan", "inf", "keys", "side file")


def summary(folder: Path, cases: list[dict[str, object]]) -> dict[str, object]:
    """Counts over the programs of a round, and what went wrong in each."""
    counts = dict.fromkeys(
        ("programs", "passed", "within budgets", "equal", "raised", "functions", "as expected"), 0
    )
    failures: dict[str, list[str]] = {}
    for case in cases:
        name, failed = str(case["name"]), [str(one) for one in case["failures"]]  # type: ignore[attr-defined]
        asked = tomllib.loads((folder / name / "case.toml").read_text())
        functions = len(asked.get("ported", [])) + len(asked.get("refused", []))
        raised = any(one.startswith("port:") for one in failed)
        over = [found for one in failed if (found := _OVER.match(one))]
        far = any(int(one[1]) * 3 > int(one[2]) * 4 for one in over)
        counts["programs"] += 1
        counts["passed"] += case["status"] == "pass"
        counts["within budgets"] += not far and not raised
        counts["equal"] += not raised and not any(one.startswith(_DIFFERS) for one in failed)
        counts["raised"] += raised
        counts["functions"] += functions
        counts["as expected"] += functions - sum(
            one.startswith(("status ", "reason ")) for one in failed
        )
        if failed:
            failures[name] = [re.sub(r" \[.*", "", one)[:120] for one in failed]
    return {**counts, "failures": failures}


def main() -> None:
    """Print the figures of a round, and keep them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("json", nargs="+", type=Path)
    parser.add_argument("--words", default="")
    parser.add_argument("--save", action="store_true")
    given = parser.parse_args()
    cases = [one for path in given.json for one in json.loads(path.read_text())["cases"]]
    found = {"date": str(date.today()), "words": given.words, **summary(given.folder, cases)}
    print(json.dumps(found, indent=1))
    if given.save:
        rounds = json.loads(RESULTS.read_text()) if RESULTS.exists() else []
        RESULTS.write_text(json.dumps([*rounds, found], indent=1) + "\n")


if __name__ == "__main__":
    main()
