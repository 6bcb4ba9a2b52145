"""Parts of complex elements: `v.real` does not make `v` a row."""

import sys

import numpy as np
from numpy.typing import NDArray


def energy(z: NDArray[np.complex128]):
    s = 0.0
    for v in z:
        s += v.real * v.real + v.imag * v.imag
    return s


def crossed(z: NDArray[np.complex128], w: NDArray[np.complex128]):
    out = np.zeros(len(z))
    for i, (a, b) in enumerate(zip(z, w)):
        out[i] = a.real * b.imag - a.imag * b.real
    return out


def first_and_size(u: NDArray[np.float64]):
    out = np.zeros(len(u))
    for i, row in enumerate(u):
        out[i] = row[0] + row.size
    return out


if __name__ == "__main__":
    rng = np.random.default_rng(3)
    z = rng.normal(size=9) + 1j * rng.normal(size=9)
    w = rng.normal(size=9) + 1j * rng.normal(size=9)
    u = rng.normal(size=(5, 4))
    np.savez(
        sys.argv[1],
        energy=energy(z),
        none=energy(z[:0]),
        crossed=crossed(z, w),
        first=first_and_size(u),
    )
