import sys

import numpy as np


def filtered(x: np.ndarray, cut: float) -> np.ndarray:
    spectrum = np.fft.rfft(x)
    spectrum[np.abs(spectrum) < cut] = 0
    return np.fft.irfft(spectrum)


def total(x: np.ndarray) -> float:
    return float(np.sum(np.exp(-x * x) * np.sin(x)))


def once(path):
    rng = np.random.default_rng(1)
    np.savez(path, clean=filtered(rng.normal(size=4096), 0.5))


def measured(path, steps: int):
    data = np.loadtxt(path)
    for _ in range(steps):
        data.sort()
        print(total(data))


def again_and_again(path, steps: int):
    data = np.loadtxt(path)
    for _ in range(steps):
        print(total(data))


def one_after_another(path):
    data = np.loadtxt(path)
    np.save(sys.argv[1], filtered(filtered(data, 0.5), 0.25))
