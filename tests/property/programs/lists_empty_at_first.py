"""Loops over lists that are empty in the first trip of the loop around them, or in all of them."""

import sys

import numpy as np


def orthonormal(vectors):
    basis = []
    for v in vectors:
        w = np.exp(-v)
        for b in basis:
            w -= (b @ w) * b
        w = w / np.sqrt(w @ w)
        basis.append(w)
    return np.array(basis)


def mixed_steps(x, steps, memory):
    changes, slopes = [], []
    g = np.sin(x)
    for _ in range(steps):
        q = g.copy()
        factors = []
        for s, y in zip(reversed(changes), reversed(slopes)):
            a = (s @ q) / (y @ s + 1.0)
            factors.append(a)
            q -= a * y
        for (s, y), a in zip(zip(changes, slopes), reversed(factors)):
            q += (a - (y @ q) / (y @ s + 1.0)) * s
        for k, s in enumerate(changes):
            q += s * (0.1 / (k + 1))
        new = x - 0.1 * q
        g_new = np.sin(new)
        changes.append(new - x)
        slopes.append(g_new - g)
        if len(changes) > memory:
            changes.pop(0)
            slopes.pop(0)
        x, g = new, g_new
    return x


def never_filled(x, steps):
    extra = []
    for _ in range(steps):
        x = np.exp(-x)
        for e in extra:
            x = np.where(e > 0, x, e)
        for k, e in enumerate(extra):
            x[k] = e
    return x


def fill(items, value):
    items.append(value)


def filled_elsewhere(x, steps):
    items = []
    for _ in range(steps):
        x = np.cos(x)
        for one in items:
            x += one
            one *= 0.5
        fill(items, x * 0.1)
    return x, items[0]


def of_other_kinds(x, steps):
    seen = []
    for k in range(steps):
        x = np.cos(x)
        for one in seen:
            x = x + one
        seen.append(k * 0.5 if k % 2 else np.sin(x))
    return x


def in_three_loops(x, steps):
    kept = []
    for _ in range(steps):
        for j in range(2):
            for one in kept:
                x = x * np.exp(-one)
            x = x + j
        kept.append(np.abs(x) + 0.5)
    return x


def with_else(x, steps):
    kept = []
    while steps:
        steps -= 1
        for one in kept:
            if one.max() > 2:
                break
            x = x + np.sin(one)
        else:
            x = np.exp(-x)
        kept.append(x)
    return x


rng = np.random.default_rng(8)
x = np.linspace(0.1, 1.0, 12)
filled, first = filled_elsewhere(x, 4)
np.savez(sys.argv[1], basis=orthonormal(rng.random((4, 12))), mixed=mixed_steps(x, 6, 3),
         never=never_filled(x, 3), filled=filled, first=first, other=of_other_kinds(x, 4),
         three=in_three_loops(x, 3), other_way=with_else(x, 4))  # fmt: skip
