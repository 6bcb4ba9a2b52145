"""Loops that read numbers of an instance, and a script whose loops stand at the module's top."""

import cupy as cp
import numpy as np
from gpuport.runtime import device, kernel


@kernel(
    "raw T x, float gain, int lag, float offset",
    "raw float64 out",
    """
    out[wrap(i, out.shape[0])] = gain * (x[wrap(i, x.shape[0])] - x[i - lag]) + offset;
    """,
    over="i in range(lag, len(x))",
    where="lag >= 0 and out.ndim == 1 and x.ndim == 1",
)
def _apply(x, gain, lag, offset, out):
    for i in range(lag, len(x)):
        out[i] = gain * (x[i] - x[i - lag]) + offset


class Filter:
    """A first-order difference with a gain."""

    def __init__(self, gain=1.0, offset=0.0, lag=2):
        self.gain, self.offset = gain, offset
        self.lag = lag

    @device("x", numbers=("gain", "lag", "offset"))
    def apply(self, x: np.ndarray):
        out = cp.zeros(len(x))
        _apply(x, self.gain, self.lag, self.offset, out)
        return out

    def adapted(self, x: np.ndarray):
        for i in range(len(x)):
            self.gain *= 0.5
            x[i] *= self.gain
        return x


x = cp.linspace(0.0, 1.0, 50)
z = cp.exp(1j * x)


@kernel(
    "raw complex128 z",
    "raw T x",
    """
    x[i] = abs(conj(z[i]) - z[i - 1]);
    """,
    over="i in range(1, 49)",
    returns="48",
)
def _make_x(z, x):
    for i in range(1, 49):
        x[i] = abs(z[i].conjugate() - z[i - 1])
    return i


i = _make_x(z, x)
print(cp.asnumpy(x.sum()))
total = 0.0


@kernel(
    "raw T x, float total",
    "T total_terms",
    """
    total_terms = x[i] * 2;
    """,
    over="i in range(50)",
    returns="total + total_terms.sum().get()[()], 49",
)
def _make_total(x, total):
    for i in range(50):
        total += x[i] * 2
    return total, i


total, i = _make_total(x, total)
print(total, i)
