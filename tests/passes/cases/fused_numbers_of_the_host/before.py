import numpy as np


def lattice(height: int, width: int, steps: int):
    dx = np.array([0, 1, -1])
    weights = np.array([0.5, 0.25, 0.25])
    f = np.ones((height, width, 3))
    f[:, 1, 1] = 2.0
    for _ in range(steps):
        for i, x in zip(range(3), dx):
            f[:, :, i] = np.roll(f[:, :, i], x, axis=1)
        rho = np.sum(f, 2)
        u = np.sum(f * dx, 2) / rho
        equal = np.zeros(f.shape)
        for i, x, w in zip(range(3), dx, weights):
            equal[:, :, i] = rho * w * (1 + 3 * x * u + 4.5 * (x * u) ** 2 - 1.5 * u**2)
        f -= (f - equal) / 0.6
    return f
