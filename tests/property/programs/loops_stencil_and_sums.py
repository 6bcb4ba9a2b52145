"""Loops that become kernels: a stencil, a branch, sums, an extreme, rows with a running value."""

import sys

import numpy as np

WEIGHTS = np.array([0.25, 0.5, 0.25])


def smooth(u, n):
    v = np.zeros_like(u)
    for i in range(1, n - 1):
        v[i] = WEIGHTS[0] * u[i - 1] + WEIGHTS[1] * u[i] + WEIGHTS[2] * u[i + 1]
    return v


def ramp(a, x, y):
    out = np.empty_like(x)
    for i in range(len(x)):
        if x[i] > 0:
            out[i] = a * x[i] + y[i]
        else:
            out[i] = np.sqrt(-x[i])
    return out


def energy(x):
    s = 0.0
    for i in range(x.shape[0]):
        s += x[i] * x[i]
    return s


def first_peak(x):
    best = 0
    top = x[0]
    for i in range(1, len(x)):
        if x[i] > top:
            top = x[i]
            best = i
    return best, top


def running(panel, alpha):
    out = np.zeros_like(panel)
    for r in range(panel.shape[0]):
        state = panel[r, 0]
        for t in range(panel.shape[1]):
            state = alpha * panel[r, t] + (1.0 - alpha) * state
            out[r, t] = state
    return out


def main(path):
    rng = np.random.default_rng(3)
    x = rng.normal(size=400)
    y = rng.normal(size=400)
    best, top = first_peak(x)
    empty = energy(np.zeros(0))
    print(type(empty).__name__)
    np.savez(
        path, smooth=smooth(x, 400), part=smooth(x, 7), ramp=ramp(2.0, x, y), energy=energy(x),
        best=best, top=top, empty=empty, running=running(x.reshape(20, 20), 0.3),
    )


if __name__ == "__main__":
    main(sys.argv[1])
