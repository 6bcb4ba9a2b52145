"""Vectors with operators of their own."""

import sys

import numpy as np


class Field:
    def __init__(self, values, unit="m"):
        self.values = values
        self.unit = unit

    def __add__(self, other):
        return Field(self.values + other.values, self.unit)

    def __sub__(self, other):
        return self + -1.0 * other

    def __mul__(self, k):
        return Field(self.values * k, self.unit)

    def __rmul__(self, k):
        return self * k

    def __matmul__(self, other):
        return np.dot(self.values, other.values)

    def __truediv__(self, k):
        return Field(self.values / k, f"{self.unit}/s")

    def __neg__(self):
        return Field(-self.values, self.unit)

    def __pow__(self, k):
        return Field(self.values**k, f"{self.unit}^{k}")

    def __getitem__(self, index):
        return Field(self.values[index], self.unit)

    def __len__(self):
        return len(self.values)

    def __repr__(self):
        return f"Field({len(self)} {self.unit}, {np.sum(self.values):.6f})"


class Periodic(Field):
    def __getitem__(self, shift):
        return Periodic(np.roll(self.values, -shift), self.unit)

    def __add__(self, other):
        return Periodic(super().__add__(other).values, self.unit)


def laplacian(f):
    return f[1] + f[-1] - 2.0 * f


def main(path):
    x = np.linspace(0, 2 * np.pi, 4000)
    f = Periodic(np.sin(x))
    g = Field(np.cos(x))
    for _ in range(5):
        f = f + 0.1 * laplacian(f)
        g = (g * 0.9 - g**2 / 4.0)[:]
    print(f, -g, "%.8f" % (f @ g), len(g[10:20]))
    np.savez(path, f=f.values, g=g.values)


if __name__ == "__main__":
    main(sys.argv[1])
