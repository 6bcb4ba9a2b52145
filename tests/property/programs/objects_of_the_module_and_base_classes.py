# module-level instance, used by functions; subclass; inheritance
import sys
import numpy as np


class Base:
    def __init__(self, n):
        self.u = np.ones(n)

    def go(self):
        self.u = np.sqrt(self.u + 1)


class Derived(Base):
    def go(self):
        super().go()
        self.u = self.u * np.exp(-self.u)


class Glob:
    def __init__(self, n):
        self.z = np.ones(n)

    def go(self):
        self.z = np.sqrt(self.z + 1)


state = Glob(7)


def advance():
    state.go()
    return state.z


def main(path):
    d = Derived(6)
    d.go()
    x = advance()
    y = advance()
    np.savez(path, u=d.u, x=x, y=y, same=x is y)


if __name__ == "__main__":
    main(sys.argv[1])
