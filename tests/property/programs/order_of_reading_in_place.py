import numpy as np


def bump(a):
    a += 1.0
    return a.sum()


def ident(a):
    return a


def main(c):
    c = np.exp(c) * 0.1 + np.sin(c)
    c[0] += bump(c)
    c[1:3] *= bump(c)
    c += bump(c)
    k = c[0] * (c[1] + bump(c)) - c[2]
    l = (ident(c), bump(c), c[:2], bump(c))
    d = c.copy(), bump(c)
    v = c[1:] - bump(c)
    w = np.where(c > 1, c, bump(c))
    z = np.dot(c, c * bump(c)) + (c * 2).sum()
    return k, l, d, v, w, z, c, bump(c)


for r in main(np.arange(4.0)):
    print(r)
