"""What `max` and `min` choose by a function are rows themselves, which may be written to."""

import numpy as np


def halved(row):
    row *= 0.5
    return float(row.sum())


def main():
    a = np.cos(np.linspace(0.0, 1.0, 4000)).reshape(40, 100) ** 2
    for _ in range(6):
        a = np.sin(a) + np.cos(a)[:, ::-1] * 0.5
    print(max(a, key=halved).sum().round(6))
    c = np.exp(a * 0.1) + np.sqrt(np.abs(a))
    best = min(c, key=np.sum)
    best[:] = 100.0
    d, e = c + 1, np.sqrt(c)
    f = max(d, e, key=np.max)
    f += 1
    print((np.cos(c) + d * e).sum().round(6), a[:2, :2].round(6))
    x = np.sin(np.linspace(0.0, 3.0, 50))
    print(max(x, key=abs).round(6), np.cos(x).sum().round(6))


main()
