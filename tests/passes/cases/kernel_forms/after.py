"""Loops that become kernels, one of each form."""

import cupy as cp
import numpy as np
from gpuport.runtime import device, kernel

SCALE = 2.5
KNOTS = np.array([0.0, 0.5, 1.0])


@kernel(
    "raw float64 x, int bins",
    "raw int64 counts",
    """
    atomicAdd(&counts[checked(to_int(x[i] * bins, out_of_range[0]), counts.shape[0],
        out_of_range[0])], 1LL);
    """,
    over="i in range(len(x))",
    where="counts.size > 0",
)
def _histogram(x, bins, counts):
    for i in range(len(x)):
        counts[int(x[i] * bins)] += 1


# The comment stays with the function.
@device("x")
def histogram(x: np.ndarray, bins: int):
    """Counts of what falls into each bin."""
    counts = cp.zeros(bins, dtype=np.int64)
    _histogram(x, bins, counts)
    return counts


@kernel(
    "raw float64 values, raw int64 index, float SCALE",
    "raw float64 out",
    """
    out[i] = SCALE * values[checked(index[i], values.shape[0], out_of_range[0])];
    """,
    over="i in range(len(index))",
    where="values.size > 0",
)
def _gathered(values, index, SCALE, out):
    for i in range(len(index)):
        # negative indices count from the end
        out[i] = SCALE * values[index[i]]


@device("values", "index", require=("values", "index"))
def gathered(values: np.ndarray, index: np.ndarray):
    out = cp.empty(len(index))
    _gathered(values, index, SCALE, out)
    return out


@kernel(
    "raw float64 x, object total",
    "raw float64 out, float64 total_terms",
    """
    total_terms = 0.0 + x[i];
    """,
    over="i in range(len(x))",
    where="out.ndim == 1",
    then="running_sum(total_terms, out[:len(x)])",
)
def _running_total(x, total, out):
    for i in range(len(x)):
        total += x[i]
        out[i] = total


@device("x")
def running_total(x: np.ndarray):
    out = cp.zeros_like(x)
    total = 0.0
    _running_total(x, total, out)
    return out


@kernel(
    "raw float64 x, raw float64 KNOTS",
    "raw int64 label",
    """
    long long best = 0;
    for (long long k = 0; k < 3; ++k) {
        if (fabs(x[i] - KNOTS[k]) < fabs(x[i] - KNOTS[best])) { best = k; }
    }
    label[i] = best;
    """,
    over="i in range(len(x))",
    where="KNOTS.shape[0] >= 3",
)
def _nearest_knot(x, KNOTS, label):
    for i in range(len(x)):
        best = 0
        for k in range(3):
            if abs(x[i] - KNOTS[k]) < abs(x[i] - KNOTS[best]):
                best = k
        label[i] = best


@device("x")
def nearest_knot(x: np.ndarray):
    label = cp.zeros(len(x), dtype=np.int64)
    _nearest_knot(x, cp.asarray(KNOTS), label)
    return label


@kernel(
    "raw T u",
    "raw T v",
    """
    v[i] = 0.5 * (u[i - 1] + u[i + 1]);
    """,
    over="i in range(1, u.shape[0] - 1)",
)
def _sweep(u, v):
    for i in range(1, u.shape[0] - 1): v[i] = 0.5 * (u[i - 1] + u[i + 1])


class Grid:
    @device("u", writes="u")
    def sweep(self, u: np.ndarray, steps: int):
        v = u.copy()
        for _ in range(steps):
            _sweep(u, v)
            u, v = v, u
        return u
