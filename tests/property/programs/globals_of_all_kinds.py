"""Globals of all kinds: changed in place, counted, appended to, rebound, hidden, defaults."""
import numpy as np

SIZE = 20_000
grid = np.linspace(0.0, 1.0, SIZE)
weights = np.ones(SIZE)
weights[0] = weights[-1] = 0.5
history = []
cache = {}
total = 0.0
OPTIONS = {"scale": 2.0, "shift": np.zeros(SIZE)}
rng = np.random.default_rng(3)
noise = rng.standard_normal(SIZE)
h = grid[1] - grid[0]
labels = np.array(["a", "b"])
mask = grid > 0.5


def integrate(f):
    return h * np.sum(weights * f)


def relax(u):
    u = u + 0.1 * np.sin(grid) * OPTIONS["scale"] + OPTIONS["shift"]
    history.append(u.max())
    return u


def damp(k):
    weights[k] *= 0.9
    noise[:] = noise * 0.5


def remember(key, u):
    if key not in cache:
        cache[key] = np.exp(u)
    return cache[key]


def count():
    global total
    total += float(np.sum(weights))
    return total


def hidden(grid):
    return grid * 2


def late(u, base=grid):
    return u + base[mask].sum()


def inner(u):
    def f(x):
        return x * grid
    return f(u) + (lambda q: q - weights)(u)


def main():
    u = np.zeros(SIZE)
    for k in range(6):
        u = relax(u)
        damp(k)
        print(k, f"{integrate(u):.10f}", f"{remember(k % 2, u).sum():.8f}", count())
    print(np.array(history).round(8))
    print(hidden(np.arange(3.0)), late(u).round(8)[:3], inner(u).round(8)[:3], len(labels))
    print(noise.round(8)[:3], weights[:7])


if __name__ == "__main__":
    main()
    grid = grid * 2
    print(f"{integrate(grid):.8f}", sorted(cache))
