"""Warnings are asked for in blocks alone: what stands beside these is not asked of anything."""

import warnings

import numpy as np


class Model:
    def __init__(self, n):
        self.x = np.linspace(0.0, 1.0, n)
        self.told = []

    @property
    def cost(self):
        return (self.x * np.log(self.x)).sum()

    def smooth(self):
        self.x = 0.5 * (self.x + np.roll(self.x, 1))

    def careful(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                return float(self.cost)
            except RuntimeWarning as told:
                self.told.append(str(told))
                return -1.0


def entropy(p):
    return -np.sum(p * np.log(p))


def relax(p, steps):
    for _ in range(steps):
        p = 0.5 * (p + np.tanh(p[::-1]))
    return p


def in_place(p):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        p[1:] /= p[:-1]
        p *= 2
        q = np.sqrt(p - 1)
    return len(told), np.nansum(q * p)


def nested(p):
    with warnings.catch_warnings():
        if p.size > 3:
            with warnings.catch_warnings():
                warnings.filterwarnings("error", category=RuntimeWarning)
            warnings.simplefilter("ignore")
        return np.log(p).max(), np.sqrt(p).sum()


def filtered(p):
    with warnings.catch_warnings():
        for k in range(2):
            try:
                total = np.exp(relax(p, 2) / (p - k)).sum()
            except RuntimeWarning as told:
                return k, str(told)
            warnings.simplefilter("error")
    return 2, total


def inside(p):
    def roots(x):
        return np.sqrt(x - 1).sum()

    logs = lambda x: np.log(x).max()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = np.nan_to_num(roots(p)), logs(p)
    return len(told), found


def main():
    p = np.linspace(0.0, 3.0, 400)
    q = relax(p + 0.1, 30)
    print(entropy(q).round(10), q.sum().round(10))
    print(in_place(q), nested(p + 1), filtered(q), inside(p))
    print(filtered(p))
    model = Model(50)
    print(model.careful(), model.told)
    for _ in range(20):
        model.smooth()
    print(round(model.careful(), 10), model.x.sum().round(10), len(model.told))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        late = [lambda x, k=k: np.log(x - k) for k in range(2)]
        quiet = (q * 2).sum()
    print(len(told), quiet.round(10), np.isnan(late[0](q)).sum())


warnings.simplefilter("ignore")
main()
