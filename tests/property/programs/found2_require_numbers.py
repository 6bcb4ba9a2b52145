import sys

import numpy as np


class Settings:
    def __init__(self):
        self.radius = 3
        self.sigma = 1.5


def kernel(radius, sigma):
    ax = np.arange(-radius, radius + 1)
    xx, yy = np.meshgrid(ax, ax)
    return np.exp(-(xx**2 + yy**2) / (2.0 * sigma**2))


def wrap(d, side):
    return d - side * np.round(d / side)


if __name__ == "__main__":
    s = Settings()
    x = np.linspace(0, 3, 10)
    np.savez(sys.argv[1], k=kernel(s.radius, s.sigma), w=wrap(x, s.sigma))
