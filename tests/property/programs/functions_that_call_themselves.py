"""Functions that call themselves, or each other, with arrays."""
import numpy as np


def power(a, n):
    if n > 1:
        half = power(a, n // 2)
        full = half @ half
        if n % 2:
            full = full @ a
        return full
    return a


def smooth(u, k):
    for _ in range(k):
        u = 0.25 * np.roll(u, 1) + 0.5 * u + 0.25 * np.roll(u, -1)
    return u


def down(u, level):
    if level > 0:
        return smooth(down(u[::2], level - 1), 3)
    return np.exp(u)


def split(x, depth):
    if depth > 0 and len(x) > 4:
        lo, hi = x[x < np.median(x)], x[x >= np.median(x)]
        a, na = split(lo, depth - 1)
        b, nb = split(hi, depth - 1)
        return np.concatenate([a, b]), na + nb
    return np.full(len(x), x.mean()), 1


def romberg(f, a, b, n):
    if n == 0:
        return 0.5 * (b - a) * (f(a) + f(b))
    return 0.5 * romberg(f, a, b, n - 1) + (b - a) / 2 ** n * sum(f(a + (2 * k + 1) * (b - a) / 2 ** n) for k in range(2 ** (n - 1)))


def wave(t):
    return np.cos(np.linspace(0.0, 3.0, 1000) * t)


def ackley(x, best=None, depth=5):
    if best is None:
        best = np.zeros_like(x)
    if depth == 0:
        return best
    cand = x * (1.0 - 0.1 * depth)
    better = np.sum(cand ** 2) < np.sum(best ** 2) + 1.0
    return ackley(cand, cand if better else best, depth - 1)


def even_step(u, n):
    if n == 0:
        return u
    u = u + 0.1 * np.sin(u)
    return odd_step(u, n - 1)


def odd_step(u, n):
    if n == 0:
        return u
    u[1:-1] = 0.5 * (u[:-2] + u[2:])
    return even_step(u, n - 1)


def main():
    print(even_step(np.linspace(0, 3, 500), 21).sum())
    a = np.eye(60) * 0.9 + 0.01
    print(power(a, 37).sum())
    print(down(np.linspace(0, 1, 4096), 5).sum())
    out, n = split(np.sin(np.arange(3000.0)), 6)
    print(out.sum(), n)
    print(romberg(wave, 0.0, 1.0, 6).sum())
    print(ackley(np.linspace(-1, 1, 700)).sum())


main()
