"""Loops that read numbers of an instance, and a script whose loops stand at the module's top."""

import cupy as cp
import numpy as np
from gpuport.runtime import device, kernel, launchable, on_host


@kernel(
    "raw T x, float gain, int lag, float offset",
    "raw float64 out",
    """
    out[wrap(i, out.shape[0])] = gain * (x[wrap(i, x.shape[0])] - x[i - lag]) + offset;
    """,
    over="i in range(lag, len(x))",
    where="lag >= 0 and out.ndim == 1 and x.ndim == 1",
    preamble="""
    __device__ long long wrap(long long k, long long length) { return k < 0 ? k + length : k; }
    """,
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

_make_x = cp.ElementwiseKernel(
    "raw complex128 z",
    "raw float64 x",
    """
    const long long i_ = i + 1;
    x[i_] = abs(conj(z[i_]) - z[i_ - 1]);
    """,
    "make_x",
    options=("--fmad=false",),
)

if (
    launchable(complex128=z, float64=x, writes=x, ndim=1)
    and z.shape[0] >= 49
    and x.shape[0] >= 49
):
    _make_x(z, x, size=48)
    i = 48
else:
    with on_host(z, writes=(x,)) as (z_host, x_host):
        for i in range(1, 49):
            x_host[i] = abs(z_host[i].conjugate() - z_host[i - 1])
print(cp.asnumpy(x.sum()))
total = 0.0

_make_total = cp.ElementwiseKernel(
    "raw float64 x",
    "raw float64 total_terms",
    """
    total_terms[i] = x[i] * 2;
    """,
    "make_total",
    options=("--fmad=false",),
)

if launchable(float64=x, ndim=1) and x.shape[0] >= 50:
    total_terms = cp.empty(50, dtype=cp.float64)
    _make_total(x, total_terms, size=50)
    total = total + cp.asnumpy(total_terms.sum())[()]
    i = 49
else:
    with on_host(x) as (x_host,):
        for i in range(50):
            total += x_host[i] * 2
print(total, i)
