"""Values that a kernel was not made for take the loop beside it."""

import sys

import numpy as np


def scale(x, y, a, n):
    for i in range(n):
        y[i] = a * x[i]
    return y


def shift(dst, src):
    for i in range(len(dst)):
        dst[i] = dst[i] + src[i]
    return dst


def bump(rows):
    total = 0.0
    for row in rows:
        row += 1.0
        total = total + np.sum(row)
    return total


def double(table):
    for i in range(len(table)):
        item = table[i]
        item *= 2.0
    return table


def raised(call, *arguments):
    try:
        call(*arguments)
    except (IndexError, TypeError) as error:
        return type(error).__name__
    return ""


def main(path):
    rng = np.random.default_rng(4)
    x = rng.normal(size=30)
    plain = scale(x, np.zeros(30), 2.0, 30)
    single = scale(x.astype(np.float32), np.zeros(30, np.float32), 2.0, 30)
    whole = scale(np.arange(30), np.zeros(30), 3, 12)
    big = scale(x, np.zeros(30), 2**70, 30)
    half = np.zeros(30)
    print(raised(scale, x, half, 2.0, 31), raised(scale, x, half, 2.0, 2.5))
    listed = scale([1.0, 2.0, 3.0], [0.0, 0.0, 0.0], 2.0, 3)
    print(type(listed).__name__, listed)
    apart = shift(x.copy(), x)
    base = x.copy()
    together = shift(base[1:], base[:-1])
    rows = rng.normal(size=(4, 5))
    total = bump(rows)
    table = double(rng.normal(size=(3, 2)))
    flat = double(rng.normal(size=6))
    np.savez(
        path, plain=plain, single=single, whole=whole, big=big, half=half, apart=apart, base=base,
        together=together, rows=rows, total=total, table=table, flat=flat,
        turned=scale(x[::-1], np.zeros(60)[::2], 0.5, 30),
    )


if __name__ == "__main__":
    main(sys.argv[1])
