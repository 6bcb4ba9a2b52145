"""V-cycles for -u'' = f on a square, residual norms to CSV."""
import csv
import io
from contextlib import contextmanager

import numpy as np

LEVELS = {"depth": 0, "max": 0}


@contextmanager
def level():
    LEVELS["depth"] += 1
    LEVELS["max"] = max(LEVELS["max"], LEVELS["depth"])
    try:
        yield LEVELS["depth"]
    finally:
        LEVELS["depth"] -= 1


def residual(u, f, h):
    r = np.zeros_like(u)
    r[1:-1, 1:-1] = f[1:-1, 1:-1] - (4 * u[1:-1, 1:-1] - u[:-2, 1:-1] - u[2:, 1:-1] - u[1:-1, :-2] - u[1:-1, 2:]) / h**2
    return r


def smooth(u, f, h, sweeps=2, omega=0.8):
    for _ in range(sweeps):
        u[1:-1, 1:-1] += omega * h * h / 4 * residual(u, f, h)[1:-1, 1:-1]
    return u


def restrict(r):
    c = r[::2, ::2].copy()
    c[1:-1, 1:-1] = (
        4 * r[2:-2:2, 2:-2:2]
        + 2 * (r[1:-3:2, 2:-2:2] + r[3:-1:2, 2:-2:2] + r[2:-2:2, 1:-3:2] + r[2:-2:2, 3:-1:2])
        + r[1:-3:2, 1:-3:2] + r[3:-1:2, 1:-3:2] + r[1:-3:2, 3:-1:2] + r[3:-1:2, 3:-1:2]
    ) / 16
    return c


def prolong(c):
    n = 2 * (c.shape[0] - 1) + 1
    f = np.zeros((n, n))
    f[::2, ::2] = c
    f[1::2, ::2] = 0.5 * (c[:-1] + c[1:])
    f[:, 1::2] = 0.5 * (f[:, :-2:2] + f[:, 2::2])
    return f


def vcycle(u, f, h):
    with level():
        if u.shape[0] <= 3:
            u[1, 1] = f[1, 1] * h * h / 4
            return u
        u = smooth(u, f, h)
        coarse = restrict(residual(u, f, h))
        e = vcycle(np.zeros_like(coarse), coarse, 2 * h)
        u += prolong(e)
        return smooth(u, f, h)


def main():
    n = 33
    x = np.linspace(0, 1, n)
    h = x[1] - x[0]
    X, Y = np.meshgrid(x, x)
    exact = np.sin(np.pi * X) * np.sin(2 * np.pi * Y)
    f = 5 * np.pi**2 * exact
    u = np.zeros((n, n))
    out = io.StringIO()
    table = csv.writer(out)
    table.writerow(["cycle", "residual", "error"])
    for k in range(6):
        u = vcycle(u, f, h)
        table.writerow([k, f"{np.linalg.norm(residual(u, f, h)) * h:.6e}", f"{abs(u - exact).max():.6e}"])
    print(out.getvalue().replace("\r", ""))
    print(LEVELS)


main()
