"""Operands that stand in a tuple: np.hypot(*pair)."""

import numpy as np
def f(n):
    ax = np.linspace(-1, 1, n)
    r = np.hypot(*np.meshgrid(ax, ax))
    pair = (ax, 2 * ax)
    q = np.arctan2(*pair)
    g = np.hypot(*np.gradient(r))
    lst = [ax, ax + 1]
    s = np.add(*lst)
    h = np.stack([*np.meshgrid(ax, ax)])
    lo, hi = 0.2, 0.5
    c = np.clip(r, *(lo, hi))
    return r.sum(), q.sum(), g.sum(), s.sum(), h.sum(), c.sum()
def unknown(args):
    return np.hypot(*args)
print(f(5), unknown((np.ones(3), np.ones(3))))
def written(n):
    a, b = np.ones(n), np.arange(n) * 1.0
    out = np.zeros(n)
    trio = (a, b, out)
    np.add(*trio)
    return out + a
def host_part(n):
    a = np.linspace(0, 1, n)
    pair = (np.exp(a), a)
    np.savetxt("pair.txt", pair[1])
    return np.hypot(*pair).sum()
def changed(n):
    a = np.linspace(0, 1, n)
    pair = [np.exp(a), a]
    pair[0] = pair[0] * 2
    return np.hypot(*pair).sum()
def number(n):
    a = np.linspace(0, 1, n)
    pair = (np.exp(a), 2.0)
    return np.power(*pair).sum()
def mixed(a: np.ndarray, pair):
    return np.where(*pair, 0.0) + np.maximum(*pair)
def function(n):
    x, y = np.mgrid[0:n, 0:n] / n
    return np.arctan2(*polar(x, y)).sum()
def polar(x, y):
    return np.hypot(x, y), x - y
print(written(4), host_part(4), changed(5), number(6), function(4))
print(mixed(np.ones(2), (np.array([0.0, 1.0]), np.array([2.0, 3.0]))))
