"""Complex numbers that are added to places of an array that several iterations may share."""

import sys

import numpy as np


def gridded(u: np.ndarray, v: np.ndarray, seen: np.ndarray, weights: np.ndarray, size, support):
    grid = np.zeros((size, size), dtype=np.complex128)
    total = np.zeros((size, size))
    for k in range(len(u)):
        column, row = int(round(u[k])), int(round(v[k]))
        if min(column, row) < support or max(column, row) >= size - support:
            continue
        for i in range(-support, support + 1):
            for j in range(-support, support + 1):
                weight = weights[k] * np.exp(-((column + i - u[k]) ** 2) - (row + j - v[k]) ** 2)
                grid[row + j, column + i] += weight * seen[k]
                total[row + j, column + i] += weight
    return grid, total


def halves(places: np.ndarray, values: np.ndarray, size):
    out = np.zeros(size, dtype=np.complex64)
    for k in range(len(places)):
        out[places[k]] -= values[k]
    return out


def main():
    k = np.arange(300)
    u, v = 8 + 7 * np.cos(0.7 * k), 8 + 7 * np.sin(1.1 * k)
    seen = np.exp(1j * 0.3 * k) * (1 + 0.01 * k)
    grid, total = gridded(u, v, seen, 1 / (1 + 0.02 * k), 17, 2)
    part = halves(k * k % 7, seen.astype(np.complex64), 7)
    print(np.count_nonzero(total), grid.dtype, part.dtype)
    np.savez(sys.argv[1], grid=grid, total=total, part=np.round(part, 3))


main()
