# empty arrays, NaN, mixed dtypes, attribute set from outside, deleted method result
import sys
import numpy as np


class M:
    scale = 2

    def __init__(self, a):
        self.a = np.asarray(a)
        self.mask = None

    def clean(self):
        self.mask = np.isnan(self.a)
        self.a = np.where(self.mask, 0, self.a)
        return self

    def scaled(self):
        return self.a * self.scale

    def stats(self):
        if self.a.size == 0:
            return None
        return self.a.mean(), self.a.max()


def main(path):
    m = M(np.array([1.0, np.nan, 3.0])).clean()
    e = M(np.array([], dtype=np.float32)).clean()
    i = M(np.array([1, 2, 3]))
    i.scale = 0.5
    s = m.stats()
    t = e.stats()
    print(s, t)
    m.extra = np.ones(3)
    np.savez(path, m=m.scaled(), e=e.scaled(), i=i.scaled(), x=m.extra + m.a, k=m.mask)


if __name__ == "__main__":
    main(sys.argv[1])
