"""NumPy functions and loops as people write them, with inputs by size, for ``ports.py``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def heat(u: np.ndarray, steps: int) -> np.ndarray:
    """Explicit steps of the heat equation on a square."""
    u = u.copy()
    for _ in range(steps):
        inner = u[1:-1, 1:-1]
        around = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
        u[1:-1, 1:-1] = inner + 0.2 * (around - 4.0 * inner)
    return u


def heat_loops(u: np.ndarray, steps: int) -> np.ndarray:
    """The same, element by element."""
    n, m = u.shape
    u = u.copy()
    for _ in range(steps):
        new = u.copy()
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                around = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]
                new[i, j] = u[i, j] + 0.2 * (around - 4.0 * u[i, j])
        u = new
    return u


def discounted(price: np.ndarray, strike: np.ndarray, years: np.ndarray) -> np.ndarray:
    """A closed formula with exponentials and roots over many contracts."""
    root = 0.3 * np.sqrt(years)
    d1 = (np.log(price / strike) + (0.02 + 0.045) * years) / root
    d2 = d1 - root
    one = 1.0 / (1.0 + np.exp(-1.702 * d1))
    two = 1.0 / (1.0 + np.exp(-1.702 * d2))
    return price * one - strike * np.exp(-0.02 * years) * two


def smoothed(image: np.ndarray, width: float) -> np.ndarray:
    """A Gaussian filter in the frequency domain."""
    spectrum = np.fft.rfft2(image)
    y = np.fft.fftfreq(image.shape[0])[:, None]
    x = np.fft.rfftfreq(image.shape[1])[None, :]
    return np.fft.irfft2(
        spectrum * np.exp(-2.0 * (np.pi * width) ** 2 * (x**2 + y**2)), image.shape
    )


def standardised(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Columns in units of their spread, and how they vary together."""
    z = (table - table.mean(axis=0)) / table.std(axis=0)
    z = np.clip(z, -3.0, 3.0)
    return z, z.T @ z / len(z)


def ranked(values: np.ndarray) -> np.ndarray:
    """Share of the sum that the largest values have."""
    order = np.sort(values)[::-1]
    return np.cumsum(order) / order.sum()


def mandelbrot(x: np.ndarray, y: np.ndarray, most: int) -> np.ndarray:
    """Steps until a point leaves, by a loop that ends at another place for each."""
    counts = np.zeros((len(y), len(x)), dtype=np.int64)
    for j in range(len(y)):
        for i in range(len(x)):
            a = 0.0
            b = 0.0
            n = 0
            while n < most and a * a + b * b <= 4.0:
                a, b = a * a - b * b + x[i], 2.0 * a * b + y[j]
                n += 1
            counts[j, i] = n
    return counts


def potential(p: np.ndarray) -> np.ndarray:
    """Sum over all others of the inverse distance."""
    n = p.shape[0]
    found = np.zeros(n)
    for i in range(n):
        total = 0.0
        for j in range(n):
            dx = p[i, 0] - p[j, 0]
            dy = p[i, 1] - p[j, 1]
            dz = p[i, 2] - p[j, 2]
            total += 1.0 / np.sqrt(dx * dx + dy * dy + dz * dz + 0.01)
        found[i] = total
    return found


def binned(values: np.ndarray, bins: int) -> np.ndarray:
    """Counts by value, by a loop that adds at places."""
    counts = np.zeros(bins, dtype=np.int64)
    for i in range(len(values)):
        k = int(values[i] * bins)
        counts[k] += 1
    return counts


def whitened(blocks: np.ndarray) -> np.ndarray:
    """Each block of samples in the axes of its own spread: small matrices one by one."""
    n, rows = blocks.shape[:2]
    found = np.empty_like(blocks)
    for k in range(n):
        a = blocks[k] - blocks[k].mean(axis=0)
        values, vectors = np.linalg.eigh(a.T @ a / (rows - 1))
        found[k] = a @ (vectors / np.sqrt(values)) @ vectors.T
    return found


def _random(*shape: int) -> np.ndarray:
    return np.random.default_rng(1).random(shape)


CASES: dict[str, tuple[tuple[int, ...], Callable[[int], tuple[Any, ...]]]] = {
    "heat": ((64, 256, 1024, 4096), lambda n: (_random(n, n), 50)),
    "heat_loops": ((16, 64, 256), lambda n: (_random(n, n), 10)),
    "discounted": (
        (1_000, 100_000, 10_000_000),
        lambda n: (_random(n) + 0.5, _random(n) + 0.5, _random(n) + 0.1),
    ),
    "smoothed": ((64, 512, 4096), lambda n: (_random(n, n), 3.0)),
    "standardised": ((1_000, 100_000, 1_000_000), lambda n: (_random(n, 32),)),
    "ranked": ((1_000, 100_000, 10_000_000), lambda n: (_random(n),)),
    "mandelbrot": (
        (32, 128, 512),
        lambda n: (np.linspace(-2, 1, n), np.linspace(-1.2, 1.2, n), 100),
    ),
    "potential": ((30, 300, 2000), lambda n: (_random(n, 3),)),
    "binned": ((1_000, 100_000, 2_000_000), lambda n: (_random(n), 64)),
    "whitened": ((10, 200, 4000), lambda n: (_random(n, 32, 8),)),
}
"""For each function its sizes, and what makes its arguments."""
