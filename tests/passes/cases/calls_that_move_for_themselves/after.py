import sys

import cupy as cp
import numpy as np
from gpuport.runtime import device, kernel


@device("x", from_size=30_000)
def filtered(x: np.ndarray, cut: float) -> np.ndarray:
    spectrum = cp.fft.rfft(x)
    spectrum[cp.abs(spectrum) < cut] = 0
    return cp.fft.irfft(spectrum)


@kernel("T x", "T terms", "terms = exp(-x * x) * sin(x);")
def _total(x):
    return np.exp(-x * x) * np.sin(x)


@device("x", from_size=80_000)
def total(x: np.ndarray) -> float:
    return float(cp.sum(_total(x)))


def once(path):
    rng = np.random.default_rng(1)
    np.savez(path, clean=filtered(rng.normal(size=4096), 0.5))


def measured(path, steps: int):
    data = cp.asarray(np.loadtxt(path))
    for _ in range(steps):
        data.sort()
        print(total(data))


def again_and_again(path, steps: int):
    data = cp.asarray(np.loadtxt(path))
    for _ in range(steps):
        print(total(data))


def one_after_another(path):
    data = cp.asarray(np.loadtxt(path))
    np.save(sys.argv[1], cp.asnumpy(filtered(filtered(data, 0.5), 0.25)))
