# class-level arrays, dataclass defaults by name, tuples of objects, generator expressions
import sys
from dataclasses import dataclass
import numpy as np

SIZE = 3


@dataclass
class Conf:
    n: int = SIZE
    x: np.ndarray = None

    def make(self):
        if self.x is None:
            self.x = np.sqrt(np.arange(self.n) + 1.0) * np.pi
        return self.x


class K:
    w = np.array([1.0, 2.0, 3.0])

    def __init__(self, s):
        self.s = s

    def reset(self):
        self.w = np.zeros(3) + np.exp(self.s)

    def use(self, x):
        return np.sin(self.w * x) + np.cos(self.w)


def pair(n):
    c = Conf()
    k = K(float(n))
    SIZE = np.ones(4)
    d = Conf(x=SIZE * 2)
    return c, k, d


def main(path):
    c, k, d = pair(2)
    a = k.use(np.arange(3.0))
    k.reset()
    b = k.use(np.arange(3.0))
    ks = [K(0.5), K(1.5)]
    for q in ks:
        q.reset()
    t = sum(float(q.use(b).sum()) for q in ks)
    np.savez(path, a=a, b=b, c=c.make(), d=d.make(), t=t, w=K.w)


if __name__ == "__main__":
    main(sys.argv[1])
