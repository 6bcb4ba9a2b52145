"""What the limits of the host path are worth: ``python bench/host_crossovers.py --repeats 5``.

Those rows of ``rules/linalg-sizes.json`` that need no GPU: from how many matrices on, and up to
which size, one call of NumPy for a stack of them is faster than a call for each (putting them
together and taking the results apart included); and what it costs to start the processes, and from
how much work on they gain. Ratios below 1: the first form is faster. All are taken in turns in one
run, the least of some rounds each.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from gpuport.runtime.batched.hosted import one_by_one, together
from gpuport.runtime.batched.pool import cores, in_processes
from gpuport.runtime.batched.sizes import sizes
from record import Recorder

FUNCTIONS: dict[str, dict[str, Any]] = {
    "inv": {},
    "cholesky": {},
    "eigh": {},
    "svd": {"full_matrices": False},
}
SIZES = (2, 4, 8, 16, 24, 32, 48, 64, 96)
COUNTS = (1, 2, 4, 8, 16, 64, 256)
WORK = 4.0e7
"""Operations of the matrices of one size, about."""


def main() -> None:
    """Measure, and print a line for each pair."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--longest", type=float, default=6.0, help="seconds of work for processes")
    parser.add_argument("--save", action="store_true", help="write bench/results/")
    options = parser.parse_args()
    record = Recorder("host_crossovers", options.save)
    threads = os.environ.get("OPENBLAS_NUM_THREADS", "as the library sets them")
    record.emit(
        "circumstances", threads_of_blas=threads, load_of_the_machine=round(os.getloadavg()[0], 1)
    )
    for measure in (by_size, by_count):
        for fields in measure(options.repeats):
            record.emit("one call for a stack over a call for each", **fields)
    record.emit("processes", **processes(options.longest))
    record.close()


def rows(count: int, n: int) -> list[tuple[Any, ...]]:
    """Positive definite matrices of one size, as the arguments of calls."""
    a = np.random.default_rng(1).normal(size=(count, n, n))
    return [(m,) for m in a @ a.swapaxes(-1, -2) + np.eye(n)]


def ratio(first: Callable[[], Any], second: Callable[[], Any], repeats: int) -> float:
    """The least time of the one over the least of the other, taken in turns."""
    least = [float("inf"), float("inf")]
    for _ in range(repeats + 1):
        for place, function in enumerate((first, second)):
            start = time.perf_counter()
            function()
            least[place] = min(least[place], time.perf_counter() - start)
    return round(least[0] / least[1], 2)


def pair(name: str, given: list[tuple[Any, ...]], repeats: int) -> float:
    function, options = getattr(np.linalg, name), FUNCTIONS[name]
    return ratio(
        lambda: together(function, given, options),
        lambda: one_by_one(function, given, options),
        repeats,
    )


def by_size(repeats: int) -> Iterator[dict[str, Any]]:
    """By the size of the matrices, of which there are many."""
    for name in FUNCTIONS:
        counts = {n: int(min(4000, max(16, WORK / (10 * n**3)))) for n in SIZES}
        ratios = {n: pair(name, rows(counts[n], n), repeats) for n in SIZES}
        limit = sizes().host_bytes
        yield {
            "function": name,
            "by": "rows",
            "ratios": ratios,
            "table": f"{limit} bytes: {int((limit / 8) ** 0.5)} rows in double precision",
        }


def by_count(repeats: int) -> Iterator[dict[str, Any]]:
    """By the number of matrices, of 8 rows."""
    for name in FUNCTIONS:
        ratios = {count: pair(name, rows(count, 8), 40 * repeats) for count in COUNTS}
        yield {"function": name, "by": "matrices", "ratios": ratios, "table": sizes().host_several}


def processes(longest: float) -> dict[str, Any]:
    """What starting them costs, and how long they take for some seconds of work."""
    start = time.perf_counter()
    in_processes("inv", rows(2 * cores(), 2), {}, 0)
    started = time.perf_counter() - start
    some = rows(4, 300)
    start = time.perf_counter()
    one_by_one(np.linalg.svd, some, {})
    each = (time.perf_counter() - start) / len(some)
    ratios, work = {}, 1.5
    while work <= longest:
        given = rows(max(4, int(work / each)), 300)
        ratios[round(work, 1)] = ratio(
            lambda given=given: in_processes("svd", given, {}, 0),  # type: ignore[misc]
            lambda given=given: one_by_one(np.linalg.svd, given, {}),  # type: ignore[misc]
            1,
        )
        work *= 2
    return {
        "processes": cores(),
        "seconds_to_start": round(started, 2),
        "over_serial_by_seconds_of_work": ratios,
        "table": sizes().processes_from,
    }


if __name__ == "__main__":
    main()
