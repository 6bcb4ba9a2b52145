"""Lists of numbers that are changed after they were written down."""

import numpy as np


def a1(x):
    shape = [len(x)]
    shape = [500]
    shape += [6]
    y = np.zeros(shape)
    y += x[:6]
    z = np.fft.fft(y, axis=0)
    total = 0.0
    for row in z:
        total += np.abs(row).sum()
    return total


def a2(x):
    shape = [10]
    shape.append(300)
    y = np.ones(shape)
    v = y[0]
    v += 1
    w = y[1]
    y[1] = 7
    return y.sum(), w.sum(), v.sum()


def a3(x):
    ax = [0]
    ax += [1]
    y = np.sum(x.reshape(50, 60), axis=tuple(ax))
    y += 1
    return y


def a4(x):
    c = [1, 2, 3]
    c[0] = 0.5
    y = np.array(c)
    y[1] = 2.75
    k = x[:3] * c
    return y, k


def a5(x):
    c = [1, 2, 3]
    d = c
    d[2] = 2.5
    y = np.array(c)
    return y * x[:3], y.dtype


def a6(x):
    c = [1, 2]
    for i in range(3):
        c += [i + 0.5]
    y = np.asarray(c)
    y /= 2
    return y, x[: len(c)] * c


def a7(x):
    s = [2, 3]
    s *= 2
    s[0] = 10
    y = np.zeros(s)
    y[0, 1] += x[1]
    r = y[0]
    r[2] = 3
    return y.sum(), y.shape, y.ndim


def a8(x):
    s = [3, 500]
    s.insert(0, 2)
    del s[1]
    s.reverse()
    y = np.arange(1000).reshape(s)
    y[0] = 3
    return y.sum(), y.shape


def a9(x, s=[4]):
    s += [5]
    y = np.zeros(s)
    q = y[0]
    y += 1
    return y.shape, q.sum() if y.ndim > 1 else q


def fill(c):
    c.append(0.25)
    c[0] = 1.5


def a10(x):
    c = [1, 2]
    fill(c)
    y = np.array(c)
    y += 0.5
    return y, x[:3] + c


def main():
    x = np.sin(np.arange(3000.0))
    print(f"{a1(x):.6f}")
    r = a2(x)
    print(f"{r[0]:.6f} {r[1]:.6f} {r[2]:.6f}")
    print(f"{a3(x):.6f}")
    r = a4(x)
    print(r[0], r[0].dtype, np.round(r[1], 6))
    r = a5(x)
    print(np.round(r[0], 6), r[1])
    r = a6(x)
    print(r[0], np.round(r[1], 6))
    print(a7(x)[1:], f"{a7(x)[0]:.6f}")
    print(a8(x))
    print(a9(x), a9(x))
    r = a10(x)
    print(r[0], np.round(r[1], 6))


main()
