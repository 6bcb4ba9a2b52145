# lambda / closure / callback of a method
import sys
import numpy as np


class F:
    def __init__(self, n):
        self.a = np.arange(n) * 1.0

    def value(self, x):
        return float(np.sum(np.sin(self.a * x)))


class G:
    def __init__(self, n):
        self.a = np.arange(n) * 1.0

    def value(self, x):
        return float(np.sum(np.cos(self.a * x)))


def bisect(f, lo, hi):
    for _ in range(20):
        m = 0.5 * (lo + hi)
        if f(m) > 0:
            lo = m
        else:
            hi = m
    return m


def main(path):
    f = F(5)
    g = G(5)
    r = bisect(f.value, 0.5, 2.0)
    s = bisect(lambda x: g.value(x), 0.5, 2.0)
    np.savez(path, r=r, s=s, a=f.a)


if __name__ == "__main__":
    main(sys.argv[1])
