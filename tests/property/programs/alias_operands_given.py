"""`a or b` gives one of its operands, not a copy: what is stored by it ages with the array."""

import numpy as np


class Model:
    def __init__(self, n):
        self.last = np.zeros(n)
        self.none = None
        self.many = n > 3

    def step(self, x):
        g = x * 2.0 + np.cos(x)
        self.last = self.none or g
        g[2:] += np.sin(x[2:]) * np.exp(-x[2:])
        return g

    def chosen(self, x):
        g = np.exp(-x) * np.cos(x)
        self.last = self.many and g
        for k, word in enumerate(["a", "bb", "ccc"]):
            g[k] += len(word)
        return g


def local(x):
    g = np.exp(-x) * np.cos(x)
    h = None or g
    h += np.sin(x)
    return g


def main():
    m = Model(12)
    x = np.linspace(0, 2, 12)
    for _ in range(3):
        x = np.sin(x) * 1.5 + np.cos(x) * np.exp(-x * x)
    g = m.step(x)
    g *= 1.5 + np.cos(x)
    print(round(float(g.sum()), 8), round(float(m.last.sum()), 8))
    g = m.chosen(x)
    g *= 1.5 + np.cos(x)
    print(round(float(g.sum()), 8), round(float(m.last.sum()), 8))
    print(round(float(local(x).sum()), 8))


main()
