"""What a boundary and a kernel cost beyond the work: ``python bench/boundaries.py [--save]``.

No GPU takes part. CuPy is one whose arrays are plain attributes (read as fast as CuPy's own, which
are C) and whose kernels do nothing, so that what is left is gpuport's. Everything is measured in
one process, in turns, and told in microseconds of this machine and as a ratio to adding two
arrays of 50 numbers in NumPy there, which alone can be compared between runs. ``host path`` is a
function of 20 calls on 50 elements, as a ratio to the same function without a boundary.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from gpuport.runtime import device, kernel
from record import Recorder

REPEATS = 15
CALLS = 2000


class Array:
    """As much of a CuPy array as is asked for."""

    __slots__ = ("data", "dtype", "itemsize", "ndim", "shape", "size", "strides")

    def __init__(self, shape: tuple[int, ...], at: int) -> None:
        made = np.empty(shape)
        self.data = SimpleNamespace(ptr=at)
        for name in ("dtype", "itemsize", "ndim", "shape", "size", "strides"):
            setattr(self, name, getattr(made, name))


def stub() -> ModuleType:
    cupy: Any = ModuleType("cupy")
    cupy.ndarray = Array
    cupy.ElementwiseKernel = lambda *args, **kwargs: nothing
    cupy.cuda = SimpleNamespace(is_available=lambda: True)
    cupyx: Any = ModuleType("cupyx")
    cupyx.seterr = lambda linalg=None: {"linalg": "ignore"}
    sys.modules.update({"cupy": cupy, "cupyx": cupyx})
    return cupy


def nothing(*args: Any, size: int = 0) -> None:
    return None


cp = stub()


@kernel(
    "raw T u, raw T source, float h",
    "raw T v",
    """
    const T around = u[{i - 1, j}] + u[{i + 1, j}] + u[{i, j - 1}] + u[{i, j + 1}];
    v[{i, j}] = 0.25 * (around - h * h * source[{i, j}]);
    """,
    over="i in range(1, u.shape[0] - 1), j in range(1, u.shape[1] - 1)",
)
def relax(u: Any, source: Any, h: float, v: Any) -> None:
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            around = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]
            v[i, j] = 0.25 * (around - h * h * source[i, j])


@kernel("T a, T b", "T mean", "mean = 2.0 * a * b / (a + b);")
def harmonic(a: Any, b: Any) -> Any:
    return 2.0 * a * b / (a + b)


@kernel("T rate, float dt", "T t", "t += dt * rate;")
def advance(rate: Any, dt: float, t: Any) -> None:
    t += dt * rate


def body(u: Any, source: Any, h: float, steps: int = 0) -> None:
    return None


WHERE = "u.dtype.kind == 'f' and u.shape == source.shape"
plain = device("u", "source")(body)
asking = device("u", "source", writes="u", where=WHERE, from_size=30_000)(body)


def formula(x: Any, y: Any) -> Any:
    for _ in range(5):
        x = cp.add(x, y)
        x = cp.multiply(x, 0.5)
        x = cp.subtract(x, y)
        x = cp.maximum(x, y)
    return x


def formula_in_numpy(x: Any, y: Any) -> Any:
    for _ in range(5):
        x = np.add(x, y)
        x = np.multiply(x, 0.5)
        x = np.subtract(x, y)
        x = np.maximum(x, y)
    return x


def cases() -> dict[str, tuple[Callable[[], Any], Callable[[], Any]]]:
    """Names, what is measured, and what of it is not gpuport's."""
    u, s, v = (Array((40, 50), at) for at in (0, 100_000, 200_000))
    small, other = np.linspace(0.0, 1.0, 50), np.linspace(1.0, 2.0, 50)
    bounded = device("x", "y", from_size=1000)(formula)
    return {
        "kernel: loop": (lambda: relax(u, s, 0.1, v), lambda: nothing(u, s, 0.1, v, size=3)),
        "kernel: returned": (lambda: harmonic(u, v), lambda: nothing(u, v)),
        "kernel: in place": (lambda: advance(u, 0.1, v), lambda: nothing(u, 0.1, v)),
        "kernel: NumPy arrays": (
            lambda: harmonic(small, other), lambda: harmonic.__wrapped__(small, other),
        ),
        "boundary: on the device": (lambda: plain(u, s, 0.1), lambda: body(u, s, 0.1)),
        "boundary: the same, where=": (lambda: asking(u, s, 0.1), lambda: body(u, s, 0.1)),
        "boundary: below from_size": (
            lambda: asking(small, other, 0.1), lambda: body(small, other, 0.1),
        ),
        "host path": (lambda: bounded(small, other), lambda: formula_in_numpy(small, other)),
    }  # fmt: skip


def seconds(call: Callable[[], Any]) -> float:
    begin = time.process_time()
    for _ in range(CALLS):
        call()
    return (time.process_time() - begin) / CALLS


def measured(recorder: Recorder) -> None:
    a, b = np.linspace(0.0, 1.0, 50), np.linspace(1.0, 2.0, 50)
    for name, (call, work) in cases().items():
        call()
        found = [(seconds(call), seconds(work), seconds(lambda: a + b)) for _ in range(REPEATS)]
        whole, bare, unit = (min(one) for one in zip(*found, strict=True))
        values: dict[str, Any] = {
            "microseconds_above": round((whole - bare) * 1e6, 2),
            "additions_of_50": round((whole - bare) / unit, 2),
        }
        if name == "host path":
            values["times_numpy"] = round(whole / bare, 2)
        recorder.emit(name, **values)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--save", action="store_true", help="write results/boundaries.json")
    recorder = Recorder("boundaries", options.parse_args().save)
    measured(recorder)
    recorder.close()


if __name__ == "__main__":
    main()
