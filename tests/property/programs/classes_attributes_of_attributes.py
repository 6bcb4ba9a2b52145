"""Loops that read what objects of objects hold, some of which changes between the calls."""

import sys
import numpy as np


class Mesh:
    def __init__(self, n):
        self.n = n
        self.dx = 1.0 / n
        self.w = np.linspace(1.0, 2.0, n)


class Params:
    def __init__(self):
        self.c = 0.3
        self.mesh = Mesh(50)


class Solver:
    def __init__(self, params):
        self.params = params
        self.u = np.sin(np.arange(params.mesh.n) * 0.2)

    def step(self):
        new = np.zeros_like(self.u)
        for i in range(1, self.params.mesh.n - 1):
            new[i] = self.u[i] + self.params.c * (self.u[i + 1] - self.u[i - 1]) * self.params.mesh.w[i] * self.params.mesh.dx
        self.u = new


s = Solver(Params())
for k in range(5):
    s.step()
    if k == 2:
        s.params.c *= 2
print(s.u.sum())
np.savez(sys.argv[1], u=s.u)
