"""Lists in attributes that other lists are added to, which share their items."""

import numpy as np


class Stage:
    def __init__(self, k):
        self.kernel = np.exp(-np.linspace(-1, 1, k) ** 2)

    def run(self, x):
        return np.convolve(x, self.kernel, mode="same") * np.tanh(x)

    def scaled(self, f):
        self.kernel *= f


class Chain:
    def __init__(self, n):
        self.parts = []
        self.kept = []
        for k in range(n):
            self.parts += [Stage(2 * k + 3)]
        self.parts.extend([Stage(5), Stage(7)])

    def run(self, x):
        for p in self.parts:
            x = p.run(x)
            self.kept += [x]
        return x

    def total(self):
        return sum(float(k.sum()) for k in self.kept)


def main():
    a, b = Chain(2), Chain(1)
    b.parts += a.parts
    a.parts[0].scaled(0.5)
    x = np.sin(np.linspace(0, 9, 200))
    for _ in range(3):
        x = a.run(x)
    y = b.run(x)
    y += 1.0
    b.kept[-1] *= 2.0
    print(np.round(x[::40], 9), len(a.parts), len(b.parts), round(b.total(), 8), np.round(y[:3], 8))
    print([round(p.kernel.sum(), 9) for p in b.parts])


main()
