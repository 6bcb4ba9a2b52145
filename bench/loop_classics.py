"""Loops of the textbooks, and the same in array operations, for ``loops.py``."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import ported_programs

Arrays = tuple[Any, ...]

LOOPS = """
import numpy as np


def saxpy(x: np.ndarray, y: np.ndarray, a: float):
    for i in range(len(x)):
        y[i] = a * x[i] + y[i]
    return y


def chain(x: np.ndarray, y: np.ndarray):
    z = np.empty(len(x))
    for i in range(len(x)):
        z[i] = np.sqrt(x[i] * x[i] + y[i] * y[i]) * 0.5 + x[i] * y[i]
    return z


def stencil(u: np.ndarray, steps: int):
    v = u.copy()
    for _ in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
        u, v = v, u
    return u


def bodies(p: np.ndarray, m: np.ndarray):
    f = np.zeros((len(p), 3))
    for i in range(len(p)):
        for j in range(len(p)):
            dx = p[j, 0] - p[i, 0]
            dy = p[j, 1] - p[i, 1]
            dz = p[j, 2] - p[i, 2]
            s = m[j] / (dx * dx + dy * dy + dz * dz + 0.01) ** 1.5
            f[i, 0] += s * dx
            f[i, 1] += s * dy
            f[i, 2] += s * dz
    return f


def histogram(k: np.ndarray, bins: int):
    counts = np.zeros(bins, dtype=np.int64)
    for i in range(len(k)):
        counts[k[i]] += 1
    return counts


def rows(x: np.ndarray):
    sums = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        total = 0.0
        for j in range(x.shape[1]):
            total += x[i, j]
        sums[i] = total
    return sums


""" + inspect.getsource(ported_programs.mandelbrot)
"""A program by itself: it is ported as a user's file is."""


def _saxpy(xp: Any, x: Any, y: Any, a: float) -> Any:
    y[...] = a * x + y
    return y


def _chain(xp: Any, x: Any, y: Any) -> Any:
    return xp.sqrt(x * x + y * y) * 0.5 + x * y


def _mandelbrot(xp: Any, x: Any, y: Any, most: int) -> Any:
    a = xp.zeros((len(y), len(x)))
    b = xp.zeros((len(y), len(x)))
    counts = xp.zeros((len(y), len(x)), dtype=np.int64)
    for _ in range(most):
        inside = a * a + b * b <= 4.0
        counts += inside
        a, b = (
            xp.where(inside, a * a - b * b + x, a),
            xp.where(inside, 2.0 * a * b + y[:, None], b),
        )
    return counts


def _stencil(xp: Any, u: Any, steps: int) -> Any:
    v = u.copy()
    for _ in range(steps):
        v[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
        u, v = v, u
    return u


def _bodies(xp: Any, p: Any, m: Any) -> Any:
    d = p[None, :, :] - p[:, None, :]
    s = m[None, :] / ((d * d).sum(axis=2) + 0.01) ** 1.5
    return (s[:, :, None] * d).sum(axis=1)


def _histogram(xp: Any, k: Any, bins: int) -> Any:
    return xp.bincount(k, minlength=bins)


def _rows(xp: Any, x: Any) -> Any:
    return x.sum(axis=1)


@dataclass(frozen=True, slots=True)
class Classic:
    """A loop of `LOOPS`, what array operations make of it, and its inputs.

    Attributes
    ----------
    arrays : callable
        The same with operations of the module that it gets first, ``numpy`` or ``cupy``.
    make : callable
        Arguments for a size.
    few, many : int
        The size for Python's loop, and the one for the device.
    elements : callable
        How many innermost iterations a size has.
    bytes : callable or None
        How many bytes a kernel has to read and write at least for a size; None where memory is
        not what it waits for.
    """

    arrays: Callable[..., Any]
    make: Callable[[int], Arrays]
    few: int
    many: int
    elements: Callable[[int], int]
    bytes: Callable[[int], int] | None = None


def _random(*shape: int) -> Any:
    return np.random.default_rng(1).random(shape)


STEPS, MOST, BINS, COLUMNS = 20, 200, 256, 2048

CLASSICS = {
    "saxpy": Classic(
        _saxpy, lambda n: (_random(n), _random(n), 2.0), 20_000, 1 << 26,
        lambda n: n, lambda n: 24 * n,
    ),
    "chain": Classic(
        _chain, lambda n: (_random(n), _random(n)), 20_000, 1 << 26,
        lambda n: n, lambda n: 24 * n,
    ),
    "mandelbrot": Classic(
        _mandelbrot, lambda n: (np.linspace(-2.0, 1.0, n), np.linspace(-1.2, 1.2, n), MOST),
        24, 2048, lambda n: n * n,
    ),
    "stencil": Classic(
        _stencil, lambda n: (_random(n, n), STEPS), 40, 8192,
        lambda n: n * n * STEPS, lambda n: 16 * n * n * STEPS,
    ),
    "bodies": Classic(
        _bodies, lambda n: (_random(n, 3), _random(n)), 100, 4096, lambda n: n * n,
    ),
    "histogram": Classic(
        _histogram, lambda n: (np.random.default_rng(1).integers(0, BINS, n), BINS),
        20_000, 1 << 26, lambda n: n, lambda n: 8 * n,
    ),
    "rows": Classic(
        _rows, lambda n: (_random(n, COLUMNS),), 8, 1 << 15,
        lambda n: n * COLUMNS, lambda n: 8 * n * COLUMNS,
    ),
}  # fmt: skip
