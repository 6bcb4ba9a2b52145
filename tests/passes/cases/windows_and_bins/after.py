import cupy as cp
import numpy as np
from gpuport.runtime import device, hamming, hanning as gpu_hanning, histogram, kernel
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


@device("k", host="x", from_size=1_000_000)
def spread(x: NDArray[np.float64], k: NDArray[np.int64]):
    return np.var(x > 0.5, dtype=np.float32), np.var(x, dtype=np.float32), cp.reciprocal(k)


@kernel("", "raw T x", "x[i] = x[i] * 2.0;", over="i in range(len(x))")
def _hanning(x):
    for i in range(len(x)):
        x[i] = x[i] * 2.0


@device("x", writes="x")
def hanning(x: NDArray[np.float64]):
    _hanning(x)


@kernel("", "raw T x", "x[i] = x[i] * x[i];", over="i in range(len(x))")
def _main(x):
    for i in range(len(x)):
        x[i] = x[i] * x[i]


@device("x", writes="x")
def main(x: NDArray[np.float64]):
    _main(x)
