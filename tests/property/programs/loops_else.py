"""Loops with `else`, and `break` out of loops over a few written-out values."""

import sys

import numpy as np


def mandel(re, im, maxit):
    out = np.zeros((len(im), len(re)), dtype=np.uint16)
    for r, y in enumerate(im):
        for c, x in enumerate(re):
            z = 0j
            k = complex(x, y)
            for n in range(maxit):
                z = z * z + k
                if abs(z) > 2.0:
                    out[r, c] = n
                    break
            else:
                out[r, c] = maxit
    return out


def primes(limit):
    out = np.zeros(limit, dtype=bool)
    for n in range(2, limit):
        d = 2
        while d * d <= n:
            if n % d == 0:
                break
            d += 1
        else:
            out[n] = True
    return out


def nested(a, b):
    n, m = a.shape
    out = np.full(n, -1.0)
    for i in range(n):
        for j in range(m):
            for k in range(len(b)):
                if a[i, j] == b[k]:
                    break
            else:
                out[i] = j
                break
        else:
            out[i] = -2.0
    return out


def small(a):
    n, m = a.shape
    out = np.zeros((n, m), dtype=int)
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            for q, (di, dj) in enumerate(((-1, 0), (1, 0), (0, 2))):
                if a[i + di, j + dj - 1] > a[i, j]:
                    out[i, j] = 7
                    break
            else:
                out[i, j] = 3
            for di, dj in ((-1, 0), (1, 0), (0, -1)):
                if a[i + di, j + dj] < 0.2:
                    continue
                if a[i + di, j + dj] > 0.8:
                    out[i, j] += 10 * di
                    break
                out[i, j] += dj
            else:
                out[i, j] -= 100
    return out


def nobreak(a):
    out = np.zeros_like(a)
    for i in range(len(a)):
        s = 0.0
        for k in range(i):
            s += a[k]
        else:
            s *= 2
        out[i] = s
    return out


def weights(image, radius, width):
    rows, columns = image.shape
    out = np.empty_like(image)
    for y in range(rows):
        for x in range(columns):
            total = 0.0
            for dy in range(-radius, radius + 1):
                for dx in range(-radius, radius + 1):
                    yy, xx = y + dy, x + dx
                    if yy < 0 or yy >= rows or xx < 0 or xx >= columns:
                        continue
                    total += (
                        np.exp(-(dy * dy + dx * dx) / (2 * width**2)) * image[yy, xx]
                    )
            out[y, x] = total
    return out


def outer(a):
    out = np.zeros_like(a)
    for i in range(len(a)):
        out[i] = a[i] * 2
    else:
        out[0] = 5
    return out


rng = np.random.default_rng(0)
a = rng.integers(0, 6, (9, 5)).astype(float)
np.savez(
    sys.argv[1],
    m=mandel(np.linspace(-2, 1, 12), np.linspace(-1, 1, 9), 40),
    p=primes(60),
    n=nested(a, np.array([0.0, 1, 2, 5])),
    n2=nested(a[:, :0], np.array([1.0])),
    s=small(rng.random((8, 9))),
    nb=nobreak(a[0]),
    o=outer(a[0]),
    w=weights(a, 2, 1.5),
    wi=weights(a, 1, 2),
)
