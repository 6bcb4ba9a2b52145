"""A multigrid cycle calls itself on coarser grids."""
import numpy as np


def smooth(u, f, h, sweeps):
    for _ in range(sweeps):
        u[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] + h * h * f[1:-1, 1:-1])
    return u


def residual(u, f, h):
    r = np.zeros_like(u)
    r[1:-1, 1:-1] = f[1:-1, 1:-1] - (4 * u[1:-1, 1:-1] - u[:-2, 1:-1] - u[2:, 1:-1] - u[1:-1, :-2] - u[1:-1, 2:]) / (h * h)
    return r


def restrict(r):
    return r[::2, ::2].copy()


def prolong(e):
    n = 2 * (e.shape[0] - 1) + 1
    out = np.zeros((n, n))
    out[::2, ::2] = e
    out[1::2, ::2] = 0.5 * (e[:-1, :] + e[1:, :])
    out[:, 1::2] = 0.5 * (out[:, :-1:2] + out[:, 2::2])
    return out


def vcycle(u, f, h):
    if u.shape[0] <= 3:
        u[1, 1] = 0.25 * h * h * f[1, 1]
        return u
    u = smooth(u, f, h, 2)
    r = residual(u, f, h)
    rc = restrict(r)
    e = vcycle(np.zeros_like(rc), rc, 2 * h)
    u = u + prolong(e)
    return smooth(u, f, h, 2)


def main():
    n = 129
    h = 1.0 / (n - 1)
    x = np.linspace(0, 1, n)
    f = 2 * np.pi ** 2 * np.outer(np.sin(np.pi * x), np.sin(np.pi * x))
    u = np.zeros((n, n))
    for k in range(6):
        u = vcycle(u, f, h)
        print(k, np.abs(residual(u, f, h)).max())
    print(u[n // 2, n // 2])


main()
