"""Points and values."""

import numpy as np


def coordinates(n):
    x = np.linspace(-1.0, 1.0, n)
    return np.meshgrid(x, x, indexing="ij")


class Grid:
    def __init__(self, n):
        x = np.linspace(-1.0, 1.0, n)
        self.x, self.y = x[:, None] + np.zeros(n), x[None, :] + np.zeros((n, 1))
        self.values = np.exp(-8.0 * (self.x**2 + self.y**2))

    def __len__(self):
        return self.values.shape[0]

    def inside(self):
        return self.values[1:-1, 1:-1]
