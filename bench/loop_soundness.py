"""Random loop nests: as they are, and as planned or ported.

    python bench/loop_soundness.py ports 20000 [--jobs 2] [--first SEED] [--save]
    python bench/loop_soundness.py ports 2000 --backend cuda
    python bench/loop_soundness.py plans 5000

``ports`` runs the whole pipeline on random modules (``loop_ports``): kernels on the host backend in
all orders of their indices, or with the CuPy that is installed, on its device. ``plans`` carries
out the planner's results in Python (``loop_programs``). Prints each program whose results
differ, and counts.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, nullcontext
from functools import partial
from multiprocessing import get_context

import loop_programs
from record import Recorder

CHUNK = 50


def planned(seeds: range) -> tuple[Counter[str], list[str]]:
    """Programs as planned."""
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    for seed in seeds:
        outcome = loop_programs.one(seed)
        counts["programs"] += 1
        counts["planned"] += outcome.planned
        counts["ran"] += outcome.ran
        counts["failed"] += outcome.failed
        counts["wrong"] += outcome.wrong is not None
        if not outcome.planned:
            counts[f"refused {outcome.code}"] += 1
        if outcome.wrong is not None:
            wrong.append(f"--- seed {seed}\n{outcome.text}{outcome.wrong}")
    return counts, wrong


@contextmanager
def emulated() -> Iterator[None]:
    """The host backend; kernels are compiled in a cache of their own that is thrown away."""
    from gpuport import host
    from gpuport.host.kernels import checks

    host.install(version=14)
    with tempfile.TemporaryDirectory() as cache, checks("strict"):
        os.environ["GPUPORT_CACHE_DIR"] = cache
        yield


def ported(seeds: range, backend: str = "host") -> tuple[Counter[str], list[str]]:
    """Modules as ported. Launches are counted on the host backend alone."""
    os.environ["GPUPORT_FALLBACK"] = "loops"
    import loop_ports

    counts: Counter[str] = Counter()
    wrong: list[str] = []
    with emulated() if backend == "host" else nullcontext():
        for seed in seeds:
            try:
                outcome = loop_ports.one(seed)
            except Exception as error:
                counts["crashed"] += 1
                wrong.append(f"--- seed {seed}: {type(error).__name__}: {error}")
                continue
            counts["programs"] += 1
            counts["with kernels"] += outcome.kernels > 0
            counts["kernels"] += outcome.kernels
            counts["programs that launched"] += outcome.launches > 0
            counts["launches"] += outcome.launches
            counts["runs with an announced difference"] += outcome.noted
            counts["runs refused aloud"] += outcome.loud
            counts["wrong"] += outcome.wrong is not None
            if outcome.wrong is not None:
                wrong.append(f"--- seed {seed}\n{outcome.text}\n{outcome.wrong}")
    return counts, wrong


def chunks(first: int, count: int) -> Iterator[range]:
    """The seeds, a few at a time."""
    for start in range(first, first + count, CHUNK):
        yield range(start, min(start + CHUNK, first + count))


def main() -> int:
    """Try programs and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("ports", "plans"), nargs="?", default="ports")
    parser.add_argument("count", type=int, nargs="?", default=20_000)
    parser.add_argument("--first", type=int, help="the first seed; any, where it is not given")
    parser.add_argument("--backend", choices=("host", "cuda"), default="host", help="for ports")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, help="begin nothing after so long")
    parser.add_argument("--show", type=int, default=10, help="wrong programs to print")
    parser.add_argument("--save", action="store_true", help="write bench/results/")
    arguments = parser.parse_args()
    first = (
        arguments.first if arguments.first is not None else random.SystemRandom().getrandbits(40)
    )
    begun = time.perf_counter()
    counts: Counter[str] = Counter()
    attempt = partial(ported, backend=arguments.backend) if arguments.what == "ports" else planned
    with ProcessPoolExecutor(arguments.jobs, get_context("spawn")) as pool:
        waiting = []
        todo = chunks(first, arguments.count)
        while True:
            spent = time.perf_counter() - begun
            late = arguments.seconds is not None and spent > arguments.seconds
            while not late and len(waiting) < 2 * arguments.jobs:
                seeds = next(todo, None)
                if seeds is None:
                    break
                waiting.append(pool.submit(attempt, seeds))
            if not waiting:
                break
            found, wrong = waiting.pop(0).result()
            before = counts["shown"]
            counts += found
            for text in wrong[: max(arguments.show - before, 0)]:
                print(text, flush=True)
            counts["shown"] += len(wrong)
            print(f"{counts['programs']} programs, {counts['wrong']} wrong", flush=True)
    failed = counts["wrong"] + counts["crashed"]
    del counts["shown"]
    name = f"loop_soundness_{arguments.what}"
    recorder = Recorder(name + "_cuda" * (arguments.backend == "cuda"), arguments.save)
    values: dict[str, object] = {name.replace(" ", "_"): n for name, n in counts.items()}
    values |= {"wrong": counts["wrong"], "first_seed": first}
    recorder.emit("counts", **values, seconds=round(time.perf_counter() - begun))
    recorder.close()
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
