import numpy as np
from numpy import sqrt

from . import tools


class Rod:
    def __init__(self, count):
        self.t = np.zeros(count)
        self.t[count // 3 : count // 2] = 1.0

    def step(self, dt):
        self.t = self.t + dt * tools.curvature(self.t)

    def spread(self):
        x = np.arange(self.t.size) / self.t.size
        mean = np.sum(x * self.t) / np.sum(self.t)
        return float(sqrt(np.sum((x - mean) ** 2 * self.t) / np.sum(self.t)))
