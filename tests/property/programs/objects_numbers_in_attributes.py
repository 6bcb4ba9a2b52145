import sys
import numpy as np


class Norm:
    limit = 3.0

    def __init__(self, a=1.3, c: float = 2.0, w=None):
        self.a = a
        self.c = c
        self.w = w
        self.b = 0.5 * c

    def rho(self, z):
        z = np.asarray(z)
        test = np.abs(z) <= self.a
        return np.where(test, z ** 2 * self.b, self.a * np.abs(z) * self.c) / self.limit

    def weights(self, z):
        return np.cos(z) * self.w

    def psi(self, z):
        a = self.a
        z = np.asarray(z)
        return a * np.sin(z / a * np.pi) * (np.abs(z) < self.c)


def main():
    z = np.linspace(-5, 5, 40)
    n = Norm()
    m = Norm(a=np.float32(2.5))
    k = Norm(a=np.linspace(1, 2, 40))
    np.savez(sys.argv[1], r=n.rho(z), p=n.psi(z), m=m.rho(z), k=k.rho(z), kp=k.psi(z), s=np.asarray(n.rho(2.0)))


import os
main()


class Curve(Norm):
    @property
    def a(self):
        return np.full(40, 2.0)

    @a.setter
    def a(self, value):
        self._a = value


class Slotted:
    __slots__ = ("scale",)

    def __init__(self, scale=2.0):
        self.scale = scale

    def apply(self, x):
        return np.exp(np.asarray(x) * self.scale)


c = Curve()
q = Slotted()
r = c.rho(np.linspace(-1, 1, 40))
s1 = q.apply(np.arange(3.0))
q.scale = np.array([1.0, 2.0, 3.0])
s2 = q.apply(np.arange(3.0))
n = Norm()
t1 = n.rho(np.arange(4.0))
n.a = [1, 2, 3, 4.0]
try:
    t2 = n.rho(np.arange(4.0))
except TypeError as e:
    print("list", type(e).__name__)
n.a = np.arange(4.0)
t3 = n.rho(np.arange(4.0))
np.savez(sys.argv[1], r=r, s1=s1, s2=s2, t1=t1, t3=t3)
