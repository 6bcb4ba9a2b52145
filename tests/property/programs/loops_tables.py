"""Tables of numbers that a function writes out before its loops."""

import sys
import numpy as np

MOVES = [(-1, 0), (1, 0), (0, -1), (0, 1)]
W = (0.25, 0.5, 0.25)


def local(u):
    n, m = u.shape
    out = np.zeros_like(u)
    moves = [(-1, 0), (1, 0), (0, -1), (0, 1)]
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            for di, dj in moves:
                out[i, j] += u[i + di, j + dj]
    return out


def module(u):
    n, m = u.shape
    out = np.zeros_like(u)
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            for di, dj in MOVES:
                out[i, j] += u[i + di, j + dj]
    return out


def indexed(u):
    n = len(u)
    out = np.zeros(n)
    w = (0.25, 0.5, 0.25)
    for i in range(1, n - 1):
        s = 0.0
        for k in range(3):
            s += w[k] * u[i + k - 1]
        out[i] = s
    return out


def indexed2(u):
    n = len(u)
    out = np.zeros(n)
    for i in range(1, n - 1):
        s = 0.0
        for k in range(3):
            s += W[k] * u[i + k - 1]
        out[i] = s
    return out


def enum(u):
    n = len(u)
    out = np.zeros(n)
    for i in range(1, n - 1):
        s = 0.0
        for k, w in enumerate(W):
            s += w * u[i + k - 1]
        out[i] = s
    return out


def array(u):
    n = len(u)
    out = np.zeros(n)
    w = np.array([0.25, 0.5, 0.25])
    for i in range(1, n - 1):
        s = 0.0
        for k in range(len(w)):
            s += w[k] * u[i + k - 1]
        out[i] = s
    return out


def dx(u):
    n, m = u.shape
    out = np.zeros_like(u)
    dxs = [-1, 1, 0, 0]
    dys = [0, 0, -1, 1]
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            for k in range(4):
                out[i, j] += u[i + dxs[k], j + dys[k]]
            for a, b in zip(dxs, dys):
                out[i, j] += u[i + a, j + b]
    return out


def changed(u):
    n = len(u)
    out = np.zeros(n)
    w = [0.25, 0.5, 0.25]
    w[1] = 3.0
    for i in range(1, n - 1):
        for k in range(3):
            out[i] += w[k] * u[i + k - 1]
    return out


def changed_later(u):
    n = len(u)
    out = np.zeros(n)
    w = [0.25, 0.5, 0.25]
    for t in range(2):
        for i in range(1, n - 1):
            for k in range(3):
                out[i] += w[k] * u[i + k - 1]
        w.reverse()
        w.append(1.0)
    return out


def given_away(u):
    n = len(u)
    out = np.zeros(n)
    w = [0.25, 0.5, 0.25]
    halve(w)
    for i in range(n):
        out[i] = w[1] * u[i]
    return out


def halve(values):
    values[1] /= 2


def another(u):
    n = len(u)
    out = np.zeros(n)
    w = [0.25, 0.5, 0.25]
    v = w
    v[1] = 7.0
    for i in range(n):
        out[i] = w[1] * u[i] + w[-1]
    return out


def early(u):
    n = len(u)
    out = np.zeros(n)
    steps = (1, -1, 2)
    for i in range(n):
        for s in steps:
            if 0 <= i + s < n and u[i + s] > 0.5:
                out[i] = s
                break
        else:
            out[i] = len(steps)
    return out


def outside(u):
    n = len(u)
    out = np.zeros(n)
    w = (1.0, 2.0)
    try:
        for i in range(n):
            out[i] = w[i] * u[i]
    except IndexError:
        out[0] = -1
    return out


def nested_table(u):
    n, m = u.shape
    out = np.zeros_like(u)
    kernel = ((0, 1 / 6, 0), (1 / 6, 1 / 3, 1 / 6), (0, 1 / 6, 0))
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            total = 0.0
            for a, row in enumerate(kernel):
                for b, w in enumerate(row):
                    total += w * u[i + a - 1, j + b - 1]
            out[i, j] = total
    return out


def nested_index(u):
    n, m = u.shape
    out = np.zeros_like(u)
    kernel = [[0, 1 / 6, 0], [1 / 6, 1 / 3, 1 / 6], [0, 1 / 6, 0]]
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            total = 0.0
            for a in range(3):
                for b in range(3):
                    total += kernel[a][b] * u[i + a - 1, j + b - 1]
            out[i, j] = total
    return out


rng = np.random.default_rng(0)
u = rng.random((8, 9))
np.savez(
    sys.argv[1],
    l=local(u),
    m=module(u),
    i=indexed(u[0]),
    i2=indexed2(u[0]),
    e=enum(u[0]),
    a=array(u[0]),
    d=dx(u),
    ch=changed(u[0]),
    cl=changed_later(u[0]),
    g=given_away(u[0]),
    an=another(u[0]),
    ea=early(u[0]),
    ou=outside(u[0]),
    nt=nested_table(u),
    ni=nested_index(u),
)
