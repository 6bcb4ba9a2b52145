"""Random loop nests, run as they are and as planned: ``python bench/loop_soundness.py 5000``.

Counts the programs that were planned, those that ran, and prints each one whose results differ.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter

from loop_programs import one


def main() -> int:
    """Try programs and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=1000)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--show", type=int, default=3, help="wrong programs to print")
    arguments = parser.parse_args()
    counts: Counter[str] = Counter()
    begun = time.perf_counter()
    for seed in range(arguments.first, arguments.first + arguments.count):
        outcome = one(seed)
        counts["programs"] += 1
        counts["planned"] += outcome.planned
        counts["ran"] += outcome.ran
        counts["failed"] += outcome.failed
        counts["wrong"] += outcome.wrong is not None
        if not outcome.planned:
            counts[f"refused {outcome.code}"] += 1
        if outcome.wrong is not None and counts["wrong"] <= arguments.show:
            print(f"--- seed {seed}\n{outcome.text}{outcome.wrong}")
        if counts["programs"] % 500 == 0:
            print(", ".join(f"{name} {count}" for name, count in counts.items()), flush=True)
    counts["seconds"] = round(time.perf_counter() - begun)
    print(", ".join(f"{name} {count}" for name, count in counts.items()))
    return 1 if counts["wrong"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
