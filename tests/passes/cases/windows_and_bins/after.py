import cupy as cp
import numpy as np
from gpuport.runtime import device, hamming, hanning as gpu_hanning, histogram, launchable, on_host
from numpy.typing import NDArray


@device("x")
def spectrum(x: NDArray[np.float64], bins):
    n = len(x)
    tapered = x * gpu_hanning(n) * hamming(n) * cp.asarray(np.kaiser(n, 8.0))
    power = cp.abs(cp.fft.rfft(tapered)) ** 2
    counts, edges = histogram(
        power,  # of all lines
        bins=bins,
        range=(0.0, 1.0),
    )
    return power, counts, edges


def tables(x: NDArray[np.float64], y: NDArray[np.float32], bins):
    rule = np.histogram(x, "auto")
    table = np.histogram2d(x, y, bins)[0]
    return rule, table, np.convolve(x, y), np.convolve(x, x)


@device("k", host="x")
def spread(x: NDArray[np.float64], k: NDArray[np.int64]):
    return np.var(x > 0.5, dtype=np.float32), np.var(x, dtype=np.float32), cp.reciprocal(k)


_hanning = cp.ElementwiseKernel(
    "",
    "float64 x",
    """
    x = x * 2.0;
    """,
    "hanning",
    options=("--fmad=false",),
)


@device("x", writes="x")
def hanning(x: NDArray[np.float64]):
    if launchable(float64=x, writes=x, ndim=1):
        _hanning(x)
    else:
        with on_host(writes=(x,)) as (x_host,):
            for i in range(len(x_host)):
                x_host[i] = x_host[i] * 2.0


_main = cp.ElementwiseKernel(
    "",
    "float64 x",
    """
    x = x * x;
    """,
    "main_kernel",
    options=("--fmad=false",),
)


@device("x", writes="x")
def main(x: NDArray[np.float64]):
    if launchable(float64=x, writes=x, ndim=1):
        _main(x)
    else:
        with on_host(writes=(x,)) as (x_host,):
            for i in range(len(x_host)):
                x_host[i] = x_host[i] * x_host[i]
