import sys

import numpy as np

ALPHA = 0.01


def thomas(b, d):
    x = np.zeros(len(d))
    for i in range(1, len(d)):
        x[i] = (d[i] - x[i - 1]) / b[i]
    return x


def laplacian(u, dx):
    out = np.zeros_like(u)
    out[1:-1, 1:-1] = (u[2:, 1:-1] - 4 * u[1:-1, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2]) / dx**2
    return out


def step(u, dt, dx, source=None):
    r = ALPHA * dt / dx**2
    rhs = u + dt * ALPHA * laplacian(u, dx) / 2
    if source is not None:
        rhs += dt * source
    for j in range(1, u.shape[1] - 1):
        rhs[:, j] = thomas(np.full(24, 1 + r), rhs[:, j])
    return rhs


def main():
    x = np.linspace(0, 1, 24)
    X, Y = np.meshgrid(x, x, indexing="ij")
    u = np.exp(-((X - 0.5) ** 2 + (Y - 0.5) ** 2) / 0.02)
    dx = x[1] - x[0]
    dt = 0.1 * dx
    energies = []
    for n in range(10):
        u = step(u, dt, dx, source=None if n % 2 else np.ones_like(u) * 0.1)
        energies.append(np.sum(u**2) * dx)
    np.savez(sys.argv[1], u=u, e=np.array(energies))


if __name__ == "__main__":
    main()
