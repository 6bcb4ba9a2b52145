"""Mandelbrot and Julia sets."""

import math
import sys

import numpy as np


def escape_time(xs, ys, limit):
    """Iterations until |z| > 2, and the smooth count."""
    count = np.zeros((len(ys), len(xs)), dtype=np.int32)
    smooth = np.zeros((len(ys), len(xs)))
    for i in range(len(ys)):
        for j in range(len(xs)):
            c = complex(xs[j], ys[i])
            z = 0j
            k = 0
            while abs(z) <= 2.0 and k < limit:
                z = z * z + c
                k += 1
            count[i, j] = k
            if k < limit:
                smooth[i, j] = (
                    k + 1 - math.log(math.log(abs(z) + 1.0) / math.log(2.0)) / math.log(2.0)
                )
            else:
                smooth[i, j] = limit
    return count, smooth


def julia(grid, cr, ci, limit=60):
    """The same with real arithmetic and a break; grid holds (x, y) pairs."""
    out = np.zeros(grid.shape[0], dtype=np.int64)
    for p in range(grid.shape[0]):
        x = grid[p, 0]
        y = grid[p, 1]
        steps = limit
        for k in range(limit):
            if x * x + y * y > 4.0:
                steps = k
                break
            x, y = x * x - y * y + cr, 2.0 * x * y + ci
        out[p] = steps
    return out


def main(path):
    xs = np.linspace(-2.1, 0.7, 72)
    ys = np.linspace(-1.2, 1.2, 60)
    count, smooth = escape_time(xs, ys, 50)
    rng = np.random.default_rng(9)
    grid = rng.uniform(-1.5, 1.5, size=(1500, 2))
    area = (count == 50).mean() * 2.8 * 2.4
    np.savez(path, count=count, smooth=smooth, julia=julia(grid, -0.8, 0.156), area=area)


if __name__ == "__main__":
    main(sys.argv[1])
