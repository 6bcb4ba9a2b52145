"""What a port costs those who wait for it, and what the core is made of.

    python bench/core.py [--every K] [--trees FOLDER ...] [--save]

Measured are, in CPU time of processes of their own (with those that they start):

programs
    ``gpuport rewrite --dry-run`` of each K-th program that outsiders wrote (`tests/first_try`), as
    a hook runs it: what NumPy answered before is kept; beside it ``ast.parse`` and
    ``libcst.parse_module`` of the same texts, in this process.
trees
    ``gpuport check`` of whole folders but for their tests, twice: the second time what NumPy and
    SciPy answered is kept. With the most memory that one process had.
house
    The figures that `tests/house.json` holds.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

import libcst

from record import Recorder

ROOT = Path(__file__).resolve().parents[1]


def run(*arguments: str) -> float:
    """CPU seconds of a run of gpuport and of the processes that it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "gpuport", *arguments, "--quiet", "--exit-zero"]
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def parsed(text: str) -> tuple[float, float]:
    """CPU seconds of ``ast.parse`` and of LibCST."""
    begin = time.process_time()
    ast.parse(text)
    middle = time.process_time()
    libcst.parse_module(text)
    return middle - begin, time.process_time() - middle


def programs(every: int) -> dict[str, object]:
    """CPU of ports of programs, each by itself."""
    files = sorted((ROOT / "tests" / "first_try").glob("*/program.py"))[::every]
    took = {one.parent.name: run("rewrite", "--dry-run", str(one)) for one in files}
    plain = [parsed(one.read_text()) for one in files]
    lasted = sorted(took.values())
    return {
        "programs": len(files),
        "lines, median": statistics.median(len(one.read_text().splitlines()) for one in files),
        "seconds, median": round(statistics.median(lasted), 2),
        "seconds, nine of ten within": round(lasted[int(0.9 * (len(lasted) - 1))], 2),
        "seconds, most": round(lasted[-1], 2),
        "within a second": sum(one <= 1.0 for one in lasted),
        "ast.parse, median": round(statistics.median(one for one, _ in plain), 4),
        "LibCST, median": round(statistics.median(one for _, one in plain), 4),
        "slowest": sorted(took, key=took.__getitem__)[-3:],
    }


def tree(folder: Path) -> dict[str, object]:
    """CPU of a folder, twice, and the memory of the largest process."""
    given = ("check", str(folder), "--exclude", "tests")
    first, second = run(*given), run(*given)
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    files = [one for one in folder.rglob("*.py") if "tests" not in one.parts]
    return {
        "files": len(files),
        "seconds": round(first, 1),
        "seconds, again": round(second, 1),
        "largest process so far, MB": memory // 1024,
    }


def main() -> None:
    """Print the figures, and keep them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--every", type=int, default=3)
    parser.add_argument("--trees", nargs="*", type=Path, default=[])
    parser.add_argument("--save", action="store_true")
    given = parser.parse_args()
    recorder = Recorder("core", given.save)
    recorder.emit("house", **json.loads((ROOT / "tests" / "house.json").read_text()))
    recorder.emit("programs", **programs(given.every))
    for folder in given.trees:
        recorder.emit(folder.name, **tree(folder))
    recorder.close()


if __name__ == "__main__":
    os.environ.pop("GPUPORT_NO_CACHE", None)
    main()
