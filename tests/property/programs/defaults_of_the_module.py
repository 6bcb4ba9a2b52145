"""Arrays of the module that functions take where they are given nothing else."""

import sys

import numpy as np

SHAPES = np.array([[1.0, 0.69, 0.92], [-0.8, 0.6624, 0.874], [0.1, 0.21, 0.25]])
TABLE = np.linspace(0.0, 1.0, 300)
KNOTS = np.fft.fft(TABLE).real
CURVE = np.sin(np.linspace(0.0, 1.0, 300)).reshape(100, 3)


def phantom(n, shapes=SHAPES):
    x = np.linspace(-1.0, 1.0, n)
    image = np.zeros((n, n))
    for value, a, b in shapes:
        turn = np.deg2rad(a)
        image[np.cos(turn) * x[:, None] ** 2 + x**2 * b <= 1] += value
    return image


def first_above(n, *, table=TABLE[::2]):
    for k, v in enumerate(table):
        if v > n:
            return np.cos(v) + np.zeros(3), k


class Model:
    def values(self, n, table=KNOTS):
        return [float(v) + n for v in table]


def steps(n, curve=CURVE):
    """A generator, which is not followed: what it takes is NumPy's."""
    for k in range(n):
        yield float(np.interp(k / n, curve[:, 0], curve[:, 1]))


get = lambda t=KNOTS: t.tolist()[0]

image = phantom(8)
above, k = first_above(0.5)
print(k, f"{Model().values(3)[0]:.6f} {get():.6f} {TABLE.sum():.6f} {phantom(5, SHAPES[:1]).sum()}")
print(" ".join(f"{v:.6f}" for v in steps(4)))
print(f"{(np.exp(CURVE) + np.cos(CURVE) * np.sqrt(CURVE)).sum():.6f}")
np.savez(sys.argv[1], image=image, above=above, knots=np.sort(KNOTS), shapes=np.exp(SHAPES))
