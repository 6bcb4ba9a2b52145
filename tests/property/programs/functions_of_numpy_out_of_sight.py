"""Functions of NumPy that go to other code, and in a row."""
import numpy as np
from numpy import log1p
from functools import reduce


def apply_all(fs, x):
    for f in fs:
        x = f(x)
    return x


def main():
    x = np.linspace(0.0, 1.0, 500)
    print(f"{apply_all([np.sqrt, log1p, np.square], x).sum():.8f}")
    parts = [x, x**2, x**3]
    print(f"{reduce(np.add, parts).sum():.6f}")
    print([f"{v:.4f}" for v in map(np.sqrt, [1.0, 2.0])])
    g = np.vectorize(np.sin)
    print(f"{g(x).sum():.6f}")
    table = {"mean": np.mean, "max": np.max}
    for name, f in table.items():
        print(name, f"{f(x):.6f}")
    h = np.exp
    print(f"{h(x).sum():.6f}")


main()
