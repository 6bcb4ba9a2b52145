import numpy as np
from numpy import hamming as taper
from numpy.typing import NDArray


def spectrum(x: NDArray[np.float64], bins):
    n = len(x)
    tapered = x * np.hanning(n) * taper(n) * np.kaiser(n, 8.0)
    power = np.abs(np.fft.rfft(tapered)) ** 2
    counts, edges = np.histogram(
        power,  # of all lines
        bins=bins,
        range=(0.0, 1.0),
    )
    return power, counts, edges


def tables(x: NDArray[np.float64], y: NDArray[np.float32], bins):
    rule = np.histogram(x, "auto")
    table = np.histogram2d(x, y, bins)[0]
    return rule, table, np.convolve(x, y), np.convolve(x, x)


def spread(x: NDArray[np.float64], k: NDArray[np.int64]):
    return np.var(x > 0.5, dtype=np.float32), np.var(x, dtype=np.float32), np.reciprocal(k)


def hanning(x: NDArray[np.float64]):
    for i in range(len(x)):
        x[i] = x[i] * 2.0


def main(x: NDArray[np.float64]):
    for i in range(len(x)):
        x[i] = x[i] * x[i]
