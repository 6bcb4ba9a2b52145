import numpy as np


def bump(a):
    a += 1.0
    return a.sum()


def two(p, q):
    return p + q


def hostly(p, q):
    return "%s %s" % (p, q)


def main():
    b = np.sin(np.arange(4.0)) ** 2
    c = np.cos(b) + np.exp(b)
    y = c[0] + bump(c)
    z = two(c[0], bump(c))
    u = two(c, bump(c))
    h = hostly(c, bump(c))
    h2 = hostly(c[0], bump(c))
    s = c[0] * 2 + bump(c) * c[1]
    k = np.maximum(c[0], bump(c))
    l = [c[0], bump(c), c[0]]
    m = c[0], bump(c)
    g = np.array([c[0], bump(c), c[0]])
    v = c[0]
    bump(c)
    r = v if v > 0 else 0.0
    cmp = c[0] < bump(c) < c[1] * 9
    x = np.zeros(4)
    x[0], x[1], x[2] = c[0], bump(c), c[0]
    c[0], c[1] = c[1], bump(c)
    return y, z, u, h, h2, s, k, l, m, g, r, cmp, x, c


for q in main():
    print(q)
