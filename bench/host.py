"""The host backend: what a call costs beyond NumPy's own work, by size of the arrays.

    python bench/host.py [--seconds 0.5] [--save]

call
    Microseconds of one operation with the host backend and with NumPy, measured in turns, their
    difference, and their ratio. The goal is a difference under 5 microseconds.
block
    The same for entering and leaving ``gpuport.host.count()``.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # threads wait for others of the machine's

import numpy as np

from gpuport import host
from record import Recorder

SIZES = (10, 1_000, 100_000)


def least(numpy: Callable[[], object], host: Callable[[], object], seconds: float) -> list[float]:
    """Microseconds a call of each: the least of many rounds that take turns.

    They take turns so that whatever else the machine does meets both, and so that neither finds the
    processor's caches as it left them itself. A round is some 20 microseconds, or one call.
    """
    numpy(), host()
    start = time.perf_counter()
    numpy()
    loops = range(max(1, min(50, int(20e-6 / (time.perf_counter() - start)))))
    found = [float("inf")] * 2
    end = start + seconds
    while time.perf_counter() < end:
        for side, work in enumerate((numpy, host)):
            start = time.perf_counter_ns()
            for _ in loops:
                work()
            found[side] = min(found[side], time.perf_counter_ns() - start)
    return [taken / len(loops) / 1e3 for taken in found]


def operations(xp: Any, a: Any, b: Any) -> dict[str, Callable[[], object]]:
    """Common operations on two arrays, with `xp` in the place of NumPy."""
    rows, square, table = a.reshape(2, -1), xp.eye(3) + 1, a.reshape(-1, 5)
    index, mask = xp.arange(0, a.size, max(1, a.size // 10)), a > 0.5
    row, column, values = index // 5, index % 5, b[index]
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
        "xp.sum": lambda: xp.sum(a),
        "sum(keepdims=True)": lambda: rows.sum(axis=1, keepdims=True),
        "sum(dtype=)": lambda: a.sum(dtype="f4"),
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
        "a[index] = values": lambda: a.__setitem__(index, values),
        "a[mask] = 0": lambda: a.__setitem__(mask, 0),
        "table[rows, columns]": lambda: table[row, column],
        "table[rows, columns] = values": lambda: table.__setitem__((row, column), values),
        "add.at": lambda: xp.add.at(a, index, 1.0),
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
        "dot": lambda: xp.dot(a, b),
        "tensordot": lambda: xp.tensordot(rows, rows, axes=([1], [1])),
        "sort": lambda: xp.sort(index),
        "unique": lambda: xp.unique(index),
        "searchsorted": lambda: xp.searchsorted(index, index),
        "vstack": lambda: xp.vstack([index, index]),
        "array_equal": lambda: xp.array_equal(index, index),
        "isclose": lambda: xp.isclose(index, index),
        "maximum": lambda: xp.maximum(a, b),
        "meshgrid": lambda: xp.meshgrid(index, index),
        "eye": lambda: xp.eye(3),
        "transpose": lambda: xp.transpose(rows),
        "expand_dims": lambda: xp.expand_dims(a, 0),
        "a[None]": lambda: a[None],
        "a[..., ::2]": lambda: a[..., ::2],
        "a.get()": lambda: a.get() if hasattr(a, "get") else a.copy(),
        "inv": lambda: xp.linalg.inv(square),
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
    parser.add_argument("--seconds", type=float, default=0.5, help="for each operation")
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
            numpy, mine = least(theirs[name], ours, chosen.seconds)
            recorder.emit(
                "call", name=name, size=size, host_us=mine, numpy_us=numpy,
                beyond_us=mine - numpy, ratio=mine / numpy,
            )  # fmt: skip

    def block() -> None:
        with host.count():
            pass

    recorder.emit("block", count_us=least(block, block, chosen.seconds)[0])
    recorder.close()


if __name__ == "__main__":
    main()
