"""Limits of dtypes beside arrays: what divides is kept above the smallest numbers."""

import numpy as np


class Mixture:
    def __init__(self, n: int, dtype: type):
        self.samples = np.cos(np.arange(n, dtype=dtype))
        self.tiny = np.finfo(dtype).tiny

    def responsibilities(self):
        weights = np.exp(-np.subtract.outer(self.samples, self.samples[:4]) ** 2)
        total = weights.sum(axis=0) + 10 * np.finfo(weights.dtype).eps
        return weights / np.maximum(total, self.tiny)


def normalised(x: np.ndarray) -> np.ndarray:
    limits = np.finfo(x.dtype)
    return np.log(np.clip(x, limits.eps, limits.max)) / max(x.max(), limits.tiny)


def clipped(x: np.ndarray) -> np.ndarray:
    return np.clip(np.sum(x**2) * x, np.iinfo(np.int16).min, np.iinfo(np.int16).max)


def main():
    for dtype in (np.float32, np.float64):
        found = Mixture(50, dtype).responsibilities()
        print(found.dtype, found.shape, round(float(found.sum()), 3))
        x = normalised(np.linspace(0, 2, 9, dtype=dtype))
        print(x.dtype, np.round(x, 3))
    print(clipped(np.linspace(-100.0, 100.0, 5)))


if __name__ == "__main__":
    main()
