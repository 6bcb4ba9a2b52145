import sys

import numpy as np


class Mixture:
    def __init__(self, k):
        self.k = k
        self.means = None
        self.spread = None
        self._shares = None

    @property
    def shares(self):
        print("asked for")
        return self._shares

    def fit(self, x, steps=15):
        n, d = x.shape
        self.means = x[:: n // self.k][: self.k].copy()
        self.spread = np.ones(self.k)
        for _ in range(steps):
            r = self.belongs(x)
            total = r.sum(axis=0)
            self._shares = total / n
            self.means = (r.T @ x) / total[:, None]
            for j in range(self.k):
                away = x - self.means[j]
                self.spread[j] = np.sum(r[:, j][:, None] * away * away) / (total[j] * d)
        return self

    def belongs(self, x):
        p = np.empty((len(x), self.k))
        for j in range(self.k):
            away = x - self.means[j]
            p[:, j] = np.exp(-0.5 * np.sum(away * away, axis=1) / self.spread[j])
        return p / p.sum(axis=1, keepdims=True)


def show(model):
    print(model.means, model.spread, (model.spread))
    print(f"{model.means}", str(model.spread))
    print(model.shares)
    held = model.means
    print(held)
    return held


model = Mixture(3)
print(show(model) is None)
x = np.stack([np.cos(np.arange(3000.0)) + np.arange(3000) % 3, np.sin(np.arange(3000.0))], axis=1)
means = show(model.fit(x))
print(means is model.means)
np.savez(sys.argv[1], means=model.means, spread=model.spread, shares=model.shares)
