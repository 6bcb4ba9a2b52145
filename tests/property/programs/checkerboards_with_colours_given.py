"""Every second cell, the colour and the size given by who calls: sizes that close on themselves."""

import sys

import numpy as np


class Ising:
    def __init__(self, n, beta):
        self.n, self.beta = n, beta
        y, x = np.indices((n, n))
        self.spins = 1 - 2 * ((x * 3 + y * y) % 2)

    def field(self, i, j):
        n = self.n
        s = self.spins
        return s[(i + 1) % n, j] + s[(i - 1) % n, j] + s[i, (j + 1) % n] + s[i, (j - 1) % n]

    def sweep(self, draws):
        for colour in (0, 1):
            for i in range(self.n):
                for j in range(self.n):
                    if (i + j) % 2 == colour:
                        change = 2 * self.spins[i, j] * self.field(i, j)
                        if change <= 0 or draws[i, j] < np.exp(-self.beta * change):
                            self.spins[i, j] = -self.spins[i, j]


def relax(u, colour):
    n, m = u.shape
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            if (i + j) % 2 != colour:
                u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])


def run(rng, n):
    model = Ising(n, 0.4)
    for _ in range(3):
        model.sweep(rng.random((n, n)))
    u = rng.random((n, n + 1))
    for colour in (0, 1, 0.0, 0.5, -1, 2):
        relax(u, colour)
    return model.spins, u


def main():
    rng = np.random.default_rng(2)
    even, smooth = run(rng, 10)
    odd, rough = run(rng, 7)
    one, _ = run(rng, 1)
    print(even.sum(), odd.sum(), one, round(float(smooth.sum()), 9))
    np.savez(sys.argv[1], even=even, odd=odd, one=one, smooth=smooth, rough=rough)


if __name__ == "__main__":
    main()
