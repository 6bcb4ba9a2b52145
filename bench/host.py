"""The host backend: what a call costs beyond NumPy's own work, by size of the arrays.

    python bench/host.py [--rounds 7] [--save]

call
    Microseconds of one operation with the host backend and with NumPy in the same run, their
    difference, and their ratio. The goal is a difference under 5 microseconds.
block
    The same for entering and leaving ``gpuport.host.count()``.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from gpuport import host
from record import Recorder

SIZES = (10, 100_000)


def best(work: Callable[[], object], rounds: int) -> float:
    """Microseconds a call: the fastest of some loops of about five milliseconds."""
    start = time.perf_counter()
    work()
    loops = max(1, int(0.005 / (time.perf_counter() - start)))
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(loops):
            work()
        times.append((time.perf_counter() - start) / loops)
    return min(times) * 1e6


def operations(xp: Any, a: Any, b: Any) -> dict[str, Callable[[], object]]:
    """Common operations on two arrays, with `xp` in the place of NumPy."""
    rows, square = a.reshape(2, -1), xp.eye(3) + 1
    index, mask = xp.arange(0, a.size, max(1, a.size // 10)), a > 0.5
    return {
        "a + b": lambda: a + b,
        "a * 1.5": lambda: a * 1.5,
        "a > b": lambda: a > b,
        "sin(a)": lambda: xp.sin(a),
        "a += b": lambda: a.__iadd__(b),
        "add(out=)": lambda: xp.add(a, b, out=a),
        "a[1:-1]": lambda: a[1:-1],
        "a[3]": lambda: a[3],
        "a[1:3] = 0": lambda: a.__setitem__(slice(1, 3), 0),
        "a[1:3] = b[1:3]": lambda: a.__setitem__(slice(1, 3), b[1:3]),
        "rows[:, 1]": lambda: rows[:, 1],
        "reshape": lambda: a.reshape(2, -1),
        "rows.T": lambda: rows.T,
        "sum": lambda: a.sum(),
        "rows.sum(axis=1)": lambda: rows.sum(axis=1),
        "max": lambda: a.max(),
        "mean": lambda: a.mean(),
        "cumsum": lambda: xp.cumsum(a),
        "where": lambda: xp.where(a, a, b),
        "concatenate": lambda: xp.concatenate([a, b]),
        "zeros": lambda: xp.zeros(a.shape),
        "copy": lambda: a.copy(),
        "astype": lambda: a.astype("f4"),
        "float(a[0])": lambda: float(a[0]),
        "a @ b": lambda: a @ b,
        "a // b": lambda: a // b,
        "a ** 2": lambda: a**2,
        "a & mask": lambda: mask & mask,
        "a[index]": lambda: a[index],
        "a[mask]": lambda: a[mask],
        "a[index] = 0": lambda: a.__setitem__(index, 0),
        "take": lambda: xp.take(a, index),
        "clip": lambda: xp.clip(a, 0, 1),
        "std": lambda: a.std(),
        "any": lambda: mask.any(),
        "argmax": lambda: a.argmax(),
        "argsort": lambda: xp.argsort(index),
        "stack": lambda: xp.stack([a, b]),
        "repeat": lambda: xp.repeat(index, 2),
        "roll": lambda: xp.roll(index, 1),
        "diff": lambda: xp.diff(a),
        "outer": lambda: xp.outer(index, index),
        "einsum": lambda: xp.einsum("i,i->", a, b),
        "norm": lambda: xp.linalg.norm(a),
        "solve": lambda: xp.linalg.solve(square, square),
        "rfft": lambda: xp.fft.rfft(index),
        "arange": lambda: xp.arange(10),
        "linspace": lambda: xp.linspace(0, 1, 10),
        "full": lambda: xp.full(10, 1.5),
        "zeros_like": lambda: xp.zeros_like(index),
        "asarray": lambda: xp.asarray(a),
        "broadcast_to": lambda: xp.broadcast_to(a, (2, a.size)),
        "isnan": lambda: xp.isnan(a),
        "nonzero": lambda: xp.nonzero(index),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--save", action="store_true")
    chosen = parser.parse_args()
    recorder = Recorder("host", chosen.save)
    host.install(version=14)
    import cupy as cp

    for size in SIZES:
        arrays = np.random.default_rng(0).random((2, size))
        devices = [cp.asarray(array) for array in arrays]
        theirs = operations(np, arrays[0].copy(), arrays[1].copy())
        for name, ours in operations(cp, *devices).items():
            numpy, mine = best(theirs[name], chosen.rounds), best(ours, chosen.rounds)
            recorder.emit(
                "call", name=name, size=size, host_us=mine, numpy_us=numpy,
                beyond_us=mine - numpy, ratio=mine / numpy,
            )  # fmt: skip

    def block() -> None:
        with host.count():
            pass

    recorder.emit("block", count_us=best(block, chosen.rounds))
    recorder.close()


if __name__ == "__main__":
    main()
