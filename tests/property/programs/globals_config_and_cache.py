"""Config by a module dict and a class, a cache by a decorator, workers by a table, global log."""
import functools
import numpy as np

CONFIG = {"n": 256, "order": 2, "window": "hann", "levels": [1, 2, 4]}
GRID = np.linspace(-1, 1, CONFIG["n"])
DERIVED = {"grid2": GRID ** 2, "norm": np.linalg.norm(GRID)}
LOG = []


@functools.lru_cache(maxsize=None)
def basis(order):
    return np.vander(GRID, order + 1, increasing=True)


def hann(n):
    return 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(n) / n)


def box(n):
    return np.ones(n)


WINDOWS = {"hann": hann, "box": box}


class Fitter:
    weights = None

    def __init__(self, order):
        self.order = order
        self.design = basis(order)
        self.w = WINDOWS[CONFIG["window"]](CONFIG["n"])

    def fit(self, y):
        A = self.design * self.w[:, None]
        c, *_ = np.linalg.lstsq(A, y * self.w, rcond=None)
        LOG.append(("fit", self.order, float(np.abs(c).max())))
        return c

    def residual(self, y, c):
        return np.linalg.norm(self.design @ c - y) / DERIVED["norm"]


def signal(level):
    return np.sin(level * np.pi * GRID) + DERIVED["grid2"]


def main():
    fitter = Fitter(CONFIG["order"])
    for level in CONFIG["levels"]:
        y = signal(level)
        c = fitter.fit(y)
        print(level, c.round(8).tolist(), f"{fitter.residual(y, c):.8f}")
    print([entry[:2] for entry in LOG])


if __name__ == "__main__":
    main()
