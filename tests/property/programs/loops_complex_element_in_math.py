"""`math` takes the real part of a complex number of NumPy's, and no array of no dimension."""

import math

import numpy as np
from numpy.typing import NDArray


def signs(a: NDArray[np.complex64], e: NDArray[np.complex64]):
    for _ in range(5):
        e += np.exp(a) * np.cos(a)
    e[0] = math.copysign(1.0, a[1])
    e[1] = math.floor(a[2])
    return e, math.sqrt(abs(a[3]))


def main():
    a = (np.linspace(-1.0, 3.0, 5000) * (1 + 0.5j)).astype(np.complex64)
    e, root = signs(a, np.zeros(5000, np.complex64))
    print(e[:2], round(root, 5))
    return {"e": e}


if __name__ == "__main__":
    main()
