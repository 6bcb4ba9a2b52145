"""Iterations, searches and gradients over functions of main; names bound further down."""
import numpy as np


def fixed_point(g, x, tol=1e-10, limit=200):
    for k in range(limit):
        new = g(x)
        if np.max(np.abs(new - x)) < tol:
            return new, k
        x = new
    return x, limit


def bisect(f, lo, hi):
    flo = f(lo)
    for _ in range(60):
        mid = 0.5 * (lo + hi)
        fm = f(mid)
        if flo * fm <= 0:
            hi = mid
        else:
            lo, flo = mid, fm
    return 0.5 * (lo + hi)


def golden(f, a, b, n=40):
    r = (np.sqrt(5) - 1) / 2
    c, d = b - r * (b - a), a + r * (b - a)
    for _ in range(n):
        if f(c) < f(d):
            b = d
        else:
            a = c
        c, d = b - r * (b - a), a + r * (b - a)
    return (a + b) / 2


def numeric_gradient(f, x, h=1e-6):
    g = np.zeros_like(x)
    for i in range(x.size):
        e = np.zeros_like(x)
        e[i] = h
        g[i] = (f(x + e) - f(x - e)) / (2 * h)
    return g


def main():
    n = 300
    x = np.linspace(0.0, 1.0, n)
    kernel = np.exp(-np.abs(x[:, None] - x[None, :])) / n
    f = np.sin(3 * x)
    u, k = fixed_point(lambda v: f + 0.3 * kernel @ v, np.zeros(n))
    print(f"{u.sum():.8f}", k)
    mass = lambda c: np.sum(np.maximum(u - c, 0.0)) / n - 0.1
    level = bisect(mass, 0.0, 2.0)
    print(f"{level:.10f}")
    width = golden(lambda s: np.sum((np.exp(-(x - 0.5) ** 2 / (2 * s * s)) - f) ** 2), 0.05, 1.0)
    print(f"{width:.8f}")

    def energy(c):
        return np.sum((np.polyval(c, x) - f) ** 2)

    print(np.round(numeric_gradient(energy, np.array([0.1, -0.4, 0.2])), 5))

    def outer(scale):
        def inner(v):
            return scale * kernel @ v + shift

        shift = scale * x
        return inner

    print(f"{outer(2.0)(u).sum():.8f}")
    memo = {}

    def power(p):
        if p not in memo:
            memo[p] = x**p
        return memo[p]

    print(f"{(power(2) + power(3) + power(2)).sum():.8f}", sorted(memo))


main()
