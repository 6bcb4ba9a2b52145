"""Fields of two kinds."""

import numpy as np

from base import Field


class Heat(Field):
    def __init__(self, n, kappa=0.1):
        super().__init__(n)
        self.kappa = kappa

    def rate(self):
        u = self.u
        around = np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1)
        return self.kappa * (around - 4.0 * u)


class Decay(Field):
    scale = 1.0

    def __init__(self, n, tau):
        Field.__init__(self, n)
        self.tau = tau
        self.u += 1.0

    def rate(self):
        return -self.u / self.tau
