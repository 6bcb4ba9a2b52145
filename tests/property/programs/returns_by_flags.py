"""Results that depend on flags, in calls that tell them."""
import numpy as np


class Model:
    def __init__(self, seed):
        rng = np.random.RandomState(seed)
        self.x = rng.rand(200)
        self.w = rng.rand(200, 3)

    def predict(self, z, return_std=False, mode="mean", y=None):
        k = np.exp(-(z[:, None] - self.x[None, :]) ** 2)
        if y is not None:
            return ((k @ self.w).sum(axis=1) - y) ** 2
        if mode == "full":
            return {"k": k, "m": k.mean(axis=1)}
        m = k @ self.w
        if not return_std:
            return m
        s = np.sqrt(1.0 + (k * k).sum(axis=1))
        return m, s

    def rebound(self, z, flag=None):
        flag = z.sum() > 3 if flag is None else flag
        if flag:
            return z * 2
        return z, z + 1

    def loop(self, z, flag):
        for i in range(3):
            if flag:
                return z * 2.0
            flag = True
        return None

    def maybe(self, z, which):
        if which == "a":
            return np.sqrt(z)
        if which == "b":
            return np.cos(z), np.sin(z)


def total(thing):
    if isinstance(thing, tuple):
        return sum(float(t.sum()) for t in thing)
    return float(thing.sum())


def main():
    m = Model(3)
    z = np.linspace(0, 1, 50)
    print(round(m.predict(z).sum(), 6))
    mean, std = m.predict(z, True)
    print(round(float(std.max()), 6), mean.shape)
    d = m.predict(z, mode="full")
    print(round(float(d["k"].max()), 6))
    print(round(float(m.predict(z, y=np.ones(50)).sum()), 6))
    for flag in (None, True, False):
        print(round(total(m.rebound(z, flag)), 6))
    kw = {"return_std": True}
    a, b = m.predict(z, **kw)
    print(round(float((a.sum() + b.sum())), 6))
    args = (z, True)
    a, b = m.predict(*args)
    print(a.shape, b.shape)
    print(m.loop(z, False).sum(), m.loop(z, True).sum())
    c, s = m.maybe(z, "b")
    print(round(float((c * c + s * s).sum()), 6), round(float(m.maybe(z, "a").sum()), 6), m.maybe(z, "c"))


if __name__ == "__main__":
    main()
