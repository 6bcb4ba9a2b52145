"""Functions that make arrays of numbers for others that work on them."""

import sys

import numpy as np


def weights(radius, sigma):
    t = np.arange(-radius, radius + 1)
    k = np.exp(-(t**2) / (2 * sigma**2))
    return k / k.sum()


def tube(n):
    x = np.linspace(0.0, 1.0, n)
    rho = np.where(x < 0.5, 1.0, 0.125)
    p = np.where(x < 0.5, 1.0, 0.1)
    return np.array([rho, np.zeros(n), p / 0.4])


def smooth(u, rounds):
    for r in range(1, rounds):
        u = np.convolve(u, weights(r, 0.7 * r), mode="same")
    return u


def advance(u, steps):
    for _ in range(steps):
        f = np.sin(u) * np.exp(-u)
        u[:, 1:-1] = 0.5 * (u[:, 2:] + u[:, :-2]) - 0.1 * (f[:, 2:] - f[:, :-2])
    return u


def run(n, steps):
    u = tube(n)
    before = u
    u = advance(u, steps)
    fresh = tube(n)
    return u, before, fresh, smooth(u[0], 4)


if __name__ == "__main__":
    u, before, fresh, smoothed = run(60, 5)
    print(u is before, round(float(smoothed.sum()), 9))
    np.savez(sys.argv[1], u=u, before=before, fresh=fresh, smoothed=smoothed)
