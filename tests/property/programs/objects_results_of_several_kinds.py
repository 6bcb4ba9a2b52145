"""Numbers of instances that are returned on one way and not on another."""
import numpy as np


class Signal:
    def __init__(self, n):
        self.a = np.convolve(np.sin(np.arange(float(n))), np.ones(30), "same")

    def stats(self):
        if self.a.size == 0:
            return None
        return self.a.mean(), self.a.max()

    def mixed(self, k):
        if k > 2:
            return self.a.mean(), self.a
        if k > 1:
            return self.a.sum()
        return [self.a.max(), 1.0]

    def maybe(self, k):
        if k:
            return self.a.max()

    def arr(self, k):
        if k > 1:
            return self.a
        if k:
            return None, self.a
        return "none"

    def work(self):
        self.a = np.convolve(self.a, np.ones(20) / 20, "same")
        return self


def pair(s, k):
    if k:
        return None
    return s.a.max(), s.a


def main():
    s = Signal(2000)
    print(s.stats())
    s.work().work()
    print(s.stats(), s.mixed(0), s.mixed(2), type(s.mixed(3)[0]).__name__)
    print(s.maybe(1), s.maybe(0), type(s.maybe(1)).__name__)
    r = s.arr(2)
    r[0] = 100.0
    print(type(r).__name__, s.arr(1)[1] is s.a, s.arr(0), s.a[0])
    q = pair(s, 0)
    print(q[0], q[1] is s.a, pair(s, 1))
    q[1][1] = 5
    np.testing.assert_allclose(s.arr(2), s.a)
    m, v = s.mixed(3)
    print(f"{m:.4f} {v.sum():.4f} {np.sqrt(np.abs(v)).sum():.4f}")


main()
