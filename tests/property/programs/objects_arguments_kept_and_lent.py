# arguments: a host array also used by host code, moved copies, mutation of lent-looking params
import sys
import numpy as np


class Acc:
    def __init__(self, n):
        self.sum = np.zeros(n)
        self.last = None
        self.n = 0

    def add(self, x, weight=1.0):
        self.sum += np.tanh(x) * weight
        self.n += 1

    def keep(self, x):
        self.last = x
        self.sum += np.sin(x)

    def clear(self, buf):
        buf[:] = 0
        self.sum -= np.cos(buf)

    def through(self, x):
        y = x
        y += 1
        return np.exp(-y) + self.sum


def norm(x):
    s = 0.0
    for v in x.tolist():
        s += v
    return s


def main(path):
    rng = np.random.default_rng(5)
    a = Acc(30)
    x = rng.random(30)
    a.add(x)
    a.add(x, 0.5)
    k = rng.random(30)
    a.keep(k)
    k[0] = 50.0
    l0 = a.last[0]
    buf = np.ones(30)
    a.clear(buf)
    z = np.zeros(30)
    t = a.through(z)
    print(f"{norm(x):.6f} {norm(buf):.3f} {norm(z):.3f} {l0:.2f}", a.n)
    np.savez(path, s=a.sum, t=t, last=a.last, k=k, z=z)


if __name__ == "__main__":
    main(sys.argv[1])
