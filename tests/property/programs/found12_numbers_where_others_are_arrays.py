"""A number where CuPy takes arrays alone, beside a number that may be an array."""

import sys

import numpy as np


def limited(x, top):
    size = np.linalg.norm(x)
    if size > top:
        x = x * (top / size)
    return x, float(size)


def filled(values: np.ndarray, rows):
    wave = np.sin(values)
    return np.full((rows, len(wave)), wave)


if __name__ == "__main__":
    out = {}
    for x in (3.0, 4, np.array([3.0, 4.0])):
        for top in (1.0, 9, np.array([2.5])):
            limit, size = globals()["limited"](x, top)
            print(type(limit).__name__, np.shape(limit), size)
            out[f"limit_{len(out)}"] = limit
    out["filled"] = filled(np.linspace(0.0, 1.0, 4), 3)
    np.savez(sys.argv[1], **out)
