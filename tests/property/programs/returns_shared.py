"""The same object in two cases, written by callers."""
import numpy as np


class Store:
    def __init__(self, n):
        self.a = np.arange(float(n))
        self.b = np.ones(n)

    def get(self, both=False, copy=True):
        if both:
            return self.a, self.b
        if copy:
            return self.a.copy()
        return self.a

    def norm(self, x, squared=True):
        if squared:
            return (x * x).sum()
        return np.sqrt((x * x).sum()), x


def main():
    s = Store(100)
    a, b = s.get(both=True)
    a[:10] = -1.0
    b *= 3.0
    c = s.get()
    c[:] = 0.0
    d = s.get(copy=False)
    d += 1.0
    print(s.a.sum(), s.b.sum(), c.sum(), d[:3])
    print(s.norm(s.a), s.norm(s.a, squared=False)[0])
    pick = [True, False]
    for p in pick:
        r = s.norm(s.b, p)
        if p:
            print(r)
        else:
            print(r[0], r[1].sum())
    out = [s.get(copy=flag) for flag in pick]
    out[0][0] = 55.0
    out[1][1] = 66.0
    print(s.a[:3], out[0][:3])


if __name__ == "__main__":
    main()
