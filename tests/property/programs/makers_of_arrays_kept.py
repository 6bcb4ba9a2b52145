"""Functions that make arrays of numbers, called once, in loops, by each other and for a file."""

import sys

import numpy as np

CALLS = []


def weights(radius, sigma=1.0):
    t = np.arange(-radius, radius + 1)
    k = np.exp(-(t**2) / (2 * sigma**2))
    CALLS.append(radius)
    return k / k.sum()


def tube(n):
    x = np.linspace(0.0, 1.0, n)
    rho = np.where(x < 0.5, 1.0, 0.125)
    p = np.where(x < 0.5, 1.0, 0.1)
    return np.array([rho, np.zeros(n), p / 0.4])


def pieces(n):
    return tube(n)[0], float(tube(n).sum())


def perhaps(n):
    if n > 5:
        return np.sin(np.arange(n) * 0.5)
    return 0.0


def smooth(u, rounds):
    for r in range(1, rounds):
        u = np.convolve(u, weights(r, 0.7 * r), mode="same")
    return u


def advance(u, steps):
    for _ in range(steps):
        u[:, 1:-1] = 0.5 * (u[:, 2:] + u[:, :-2])
    return u


if __name__ == "__main__":
    start = tube(60)
    kept = start
    moved = advance(start, 5)
    smoothed = smooth(np.sin(np.linspace(0, 9, 80)), 4)
    first, total = pieces(12)
    either = perhaps(9) + perhaps(3)
    listed = weights(3).tolist()
    by_name = {"w": weights(2), "t": tube(5)}
    print(CALLS, [round(one, 9) for one in listed], round(total, 9), kept is start)
    np.savez(sys.argv[1], moved=moved, kept=kept, smoothed=smoothed, first=first, either=either,
             w=by_name["w"], t=by_name["t"], fresh=tube(8))  # fmt: skip
