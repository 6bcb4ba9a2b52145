# kept element, optional attribute, early return, exception
import sys
import numpy as np


class Cache:
    def __init__(self, n):
        self.data = np.arange(n, dtype=float)
        self.cached = None
        self.first = self.data[0]
        self.hits = 0

    def get(self):
        if self.cached is None:
            self.cached = np.cumsum(np.sqrt(self.data))
            return self.cached
        self.hits += 1
        return self.cached

    def poke(self, i, v):
        if i < 0:
            raise ValueError("negative")
        self.data[i] = v
        self.cached = None


def main(path):
    c = Cache(12)
    a = c.get()
    b = c.get()
    same = a is b
    c.poke(0, 5.0)
    try:
        c.poke(-1, 2.0)
        msg = "no"
    except ValueError as e:
        msg = str(e)
    d = c.get()
    print(msg, c.hits, same, c.first)
    np.savez(path, a=a, d=d, first=c.first)


if __name__ == "__main__":
    main(sys.argv[1])
