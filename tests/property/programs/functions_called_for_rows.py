"""Functions that NumPy calls for one row after the other: some write into the rows."""

import numpy as np


def smallest(row):
    row.sort()
    row[0] = -1.0
    return row[1]


def entropy(row, base=2.0):
    p = row[row > 0] / row.sum()
    return -(p * np.log(p)).sum() / np.log(base)


def span(v):
    return v.max() - v.min()


@np.vectorize
def kind(x):
    return 1 if x > 1 else 0


def main():
    a = np.cos(np.linspace(0.0, 1.0, 5000)).reshape(10, 500) ** 2
    c = a + 1
    for _ in range(5):
        a = np.sin(a) + np.cos(a)[:, ::-1]
        c = np.cos(c) ** 2 + a
    b = np.apply_along_axis(smallest, 1, a)
    e = np.apply_along_axis(entropy, 1, c, base=3.0)
    f = np.apply_along_axis(lambda v: v[::-1] * 2, 0, c)
    g = np.apply_along_axis(np.convolve, 1, c, np.ones(5) / 5, "same")
    a = a * 2
    print(b.sum().round(9), (a[:, 0] * np.arange(10)).sum().round(9), e.round(8), span(c).round(9))
    print(f.sum().round(9), g.sum().round(9), np.exp(e).sum().round(9), kind(c).sum())
    total, low = np.apply_over_axes(np.sum, c, [0, 1]), np.apply_along_axis(span, 0, c[0])
    print(total.round(9), low.round(9))


main()
