"""Loops that become kernels, one of each form."""

import numpy as np

SCALE = 2.5
KNOTS = np.array([0.0, 0.5, 1.0])


# The comment stays with the function.
def histogram(x: np.ndarray, bins: int):
    """Counts of what falls into each bin."""
    counts = np.zeros(bins, dtype=np.int64)
    for i in range(len(x)):
        counts[int(x[i] * bins)] += 1
    return counts


def gathered(values: np.ndarray, index: np.ndarray):
    out = np.empty(len(index))
    for i in range(len(index)):
        # negative indices count from the end
        out[i] = SCALE * values[index[i]]
    return out


def running_total(x: np.ndarray):
    out = np.zeros_like(x)
    total = 0.0
    for i in range(len(x)):
        total += x[i]
        out[i] = total
    return out


def nearest_knot(x: np.ndarray):
    label = np.zeros(len(x), dtype=np.int64)
    for i in range(len(x)):
        best = 0
        for k in range(3):
            if abs(x[i] - KNOTS[k]) < abs(x[i] - KNOTS[best]):
                best = k
        label[i] = best
    return label


class Grid:
    def sweep(self, u: np.ndarray, steps: int):
        v = u.copy()
        for _ in range(steps):
            for i in range(1, u.shape[0] - 1): v[i] = 0.5 * (u[i - 1] + u[i + 1])
            u, v = v, u
        return u
