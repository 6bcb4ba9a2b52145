"""Loops over views that overlap, in one array and in two names."""

import numpy as np


def shift_in_place(x):
    a, b = x[1:], x[:-1]
    for i in range(len(a)):
        a[i] = b[i]
    return x


def back(x):
    a, b = x[1:], x[:-1]
    for i in range(len(b)):
        b[i] = a[i] * 2
    return x


def rev(x):
    r = x[::-1]
    for i in range(len(x)):
        x[i] = x[i] + r[i]
    return x


def transpose(m):
    t = m.T
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            m[i, j] += t[i, j]
    return m


def add(x, y, out):
    for i in range(len(x) - 1):
        out[i] = x[i] + y[i + 1]
    return out


def swap(x, y):
    for i in range(len(x)):
        x[i], y[i] = y[i], x[i]


def stencil(u, un):
    for i in range(1, len(u) - 1):
        un[i] = u[i - 1] + u[i + 1]
    return un


def evens(x):
    e, o = x[::2], x[1::2]
    for i in range(len(o)):
        e[i] += o[i]
        o[i] -= e[i]
    return x


def rows(m):
    for i in range(1, m.shape[0]):
        r, p = m[i], m[i - 1]
        for j in range(m.shape[1]):
            r[j] += p[j]
    return m


def gather(x, idx):
    for i in range(len(idx)):
        x[i] = x[idx[i]] * 2
    return x


def scatter(y, idx, v):
    for i in range(len(idx)):
        y[idx[i]] = v[i]
    return y


def scatter_add(y, idx, v):
    for i in range(len(idx)):
        y[idx[i]] += v[i]
    return y


def main():
    n = 900
    x = np.arange(float(n))
    for f in (shift_in_place, back, rev, evens):
        r = f(x.copy())
        print(f.__name__, r.sum(), r[:4], r[-3:])
    m = np.arange(400.0).reshape(20, 20)
    print(
        transpose(m.copy()).sum(),
        transpose(m.copy())[1:3, :3].tolist(),
        rows(m.copy()).sum(),
    )
    z = x.copy()
    print(add(z, z, z).sum(), add(z, x, z).sum(), add(x, z, z[::-1]).sum(), z[:4])
    z = x.copy()
    print(add(z[:-1], z[:-1], z[1:]).sum())
    swap(z[:5], z[3:8])
    swap(z, z)
    print(z[:9])
    print(stencil(z, z).sum(), stencil(z, z[1:]).sum(), stencil(z[2:], z).sum())
    idx = np.array([5, 3, 3, 7, 0, 899, -1, 5, -900] * 20)
    k = np.abs(idx) % 180
    print(
        gather(x.copy(), idx).sum(),
        scatter(x.copy(), idx, x).sum(),
        scatter_add(x.copy(), idx, x).sum(),
    )
    print(scatter(x.copy(), idx, x)[[0, 3, 5, 7, 899]])
    print(scatter_add(k.copy(), k, k).sum())


main()
