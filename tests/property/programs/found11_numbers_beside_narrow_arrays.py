"""A number is an array of 64 bits to NumPy here, where CuPy leaves it the number that it is."""

import sys

import numpy as np


def damped(x, y):
    x, y = np.broadcast_arrays(x, y)
    return np.exp(-np.sqrt(np.abs(x))) * y


def spread(x, y):
    return np.exp(np.kron(x, y)) + np.sin(x).sum()


if __name__ == "__main__":
    narrow = np.linspace(0.0, 1.0, 6).astype(np.float32)
    out = {}
    for name in ("damped", "spread"):
        for kind, other in (("array", narrow[::-1]), ("number", 2.5), ("whole", 3)):
            out[f"{name}_{kind}"] = globals()[name](narrow, other)
    print(*[value.dtype for value in out.values()])
    np.savez(sys.argv[1], **out)
