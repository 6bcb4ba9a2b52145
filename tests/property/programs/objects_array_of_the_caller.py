# alias between caller's array and attribute, mutated outside
import sys
import numpy as np


class Field:
    def __init__(self, u):
        self.u = u
        self.n = len(u)

    def grow(self):
        self.u *= 1.5
        self.u[0] = np.sin(self.u[1]) + self.u[2]

    def view(self):
        return self.u[1:4]


def main(path):
    a = np.linspace(0, 1, 20)
    f = Field(a)
    f.grow()
    a += 1
    f.grow()
    v = f.view()
    v[0] = 77.0
    b = np.exp(-f.u)
    np.savez(path, a=a, u=f.u, same=f.u is a, v=v, b=b)


main(sys.argv[1])
