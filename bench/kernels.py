"""User kernels on the host: what compiling one costs, and what launching one adds.

    python bench/kernels.py [--rounds 7] [--save]

compile
    Milliseconds from a kernel's first call to its result with an empty cache, runtime and
    precompiled headers made before: the median over kernels that differ in one constant.
launch
    Microseconds a call by number of elements and mode, beside NumPy's for the same expression.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable

import numpy as np

from record import Recorder

SIZES = (10, 10_000, 1_000_000)


def seconds(work: Callable[[], object], rounds: int) -> float:
    """Median time of a call, over loops of about a hundredth of a second."""
    start = time.perf_counter()
    work()
    loops = max(1, int(0.01 / (time.perf_counter() - start)))
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(loops):
            work()
        times.append((time.perf_counter() - start) / loops)
    return statistics.median(times)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--save", action="store_true")
    chosen = parser.parse_args()
    recorder = Recorder("kernels", chosen.save)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GPUPORT_CACHE_DIR"] = folder
        from gpuport import host

        host.install(version=14)
        import cupy as cp

        from gpuport.host.kernels import checks

        for mode in ("strict", "fast"):
            with checks(mode):
                times = []
                for k in range(chosen.rounds + 1):
                    kernel = cp.ElementwiseKernel("T x", "T y", f"y = 2 * x + {k};", "line")
                    start = time.perf_counter()
                    kernel(cp.ones(3))
                    times.append(time.perf_counter() - start)
                first, rest = times[0], statistics.median(times[1:])
                recorder.emit("compile", mode=mode, first_ms=first * 1e3, then_ms=rest * 1e3)
        kernel = cp.ElementwiseKernel("T x, T y", "T z", "z = 2 * x + y;", "line")
        for size in SIZES:
            values = np.random.default_rng(0).random(size)
            x = cp.asarray(values)
            found = {"numpy": seconds(lambda v=values: 2 * v + v, chosen.rounds)}
            for mode in ("strict", "fast"):
                with checks(mode):
                    found[mode] = seconds(lambda x=x: kernel(x, x), chosen.rounds)
            micro = {f"{name}_us": value * 1e6 for name, value in found.items()}
            recorder.emit("launch", size=size, **micro)
    recorder.close()


if __name__ == "__main__":
    main()
