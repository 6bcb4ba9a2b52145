"""Static methods, class methods and constants that classes of a family override."""

import sys
import numpy as np

class Base:
    size = 3
    def __init__(self):
        self.x = np.linspace(0, 1, 4000)
    def norm(self):
        return np.sqrt(np.sum(self.x**2))
    @staticmethod
    def scale():
        return 2.0
    @classmethod
    def make(cls):
        obj = cls()
        obj.x = obj.x * cls.scale()
        return obj

class Derived(Base):
    size = 5.0
    @property
    def norm2(self):
        return self.norm() ** 2
    @staticmethod
    def scale():
        return 3.0

class Third(Derived):
    def __init__(self, n):
        super().__init__()
        self.x = np.sin(self.x * n)
        self.extra = np.ones(3)
    @classmethod
    def make(cls):
        return cls(7)

def describe(b):
    return b.norm() * b.size if isinstance(b, Derived) else b.norm()

def main(path):
    objs = [Base.make(), Derived.make(), Third.make()]
    d = [float(describe(o)) for o in objs]
    print(["%.6f" % v for v in d], [o.size for o in objs], [o.scale() for o in objs])
    np.savez(path, *[o.x for o in objs], n=objs[1].norm2, t=objs[2].extra)

if __name__ == "__main__":
    main(sys.argv[1])
