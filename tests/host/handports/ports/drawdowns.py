"""Drawdowns: a doubling scan of maxima; rows with a thread each."""

import sys

import cupy as cp
import numpy as np

_ENVELOPE = cp.ElementwiseKernel(
    "raw float64 panel, int64 cols",
    "raw float64 env",
    """
    double high = panel[i * cols];
    env[i * cols] = high;
    for (long long t = 1; t < cols; ++t) {
        high = max(high, panel[i * cols + t]);
        env[i * cols + t] = high;
    }
    """,
    "envelope",
)
_SMOOTH = cp.ElementwiseKernel(
    "raw float64 panel, int64 cols, float64 alpha",
    "raw float64 out",
    """
    double state = panel[i * cols];
    for (long long t = 0; t < cols; ++t) {
        state = alpha * panel[i * cols + t] + (1.0 - alpha) * state;
        out[i * cols + t] = state;
    }
    """,
    "smooth",
)


def running_maximum(x):
    found, step = x.copy(), 1
    while step < len(x):
        found[step:] = cp.maximum(found[step:], found[:-step])
        step *= 2
    return found


def by_row(kernel, panel, *numbers):
    out = cp.empty_like(panel)
    rows, cols = panel.shape
    kernel(panel, cols, *numbers, out, size=rows)
    return out


def main(path):
    rng = np.random.default_rng(61)
    price = cp.asarray(100.0 * np.exp(np.cumsum(rng.normal(0, 0.01, size=4000))))
    panel = cp.asarray(rng.normal(size=(120, 60)))
    peak = running_maximum(price)
    loss = 1.0 - price / peak
    found = {
        "peak": peak,
        "loss": loss,
        "worst": loss.max(),
        "envelope": by_row(_ENVELOPE, panel),
        "smooth": by_row(_SMOOTH, panel, 0.3),
    }
    np.savez(path, **{name: cp.asnumpy(values) for name, values in found.items()})


if __name__ == "__main__":
    main(sys.argv[1])
