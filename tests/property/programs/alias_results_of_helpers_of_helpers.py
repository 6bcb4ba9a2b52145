"""A function hands back what a helper handed back: its argument, a part of it or a copy."""
import sys

import numpy as np


def source(b, u, dt):
    b[1:-1, 1:-1] = (u[1:-1, 2:] - u[1:-1, :-2]) / dt
    return b


def relax(p, b, sweeps):
    for _ in range(sweeps):
        old = p.copy()
        p[1:-1, 1:-1] = (old[1:-1, 2:] + old[1:-1, :-2] + old[2:, 1:-1] + old[:-2, 1:-1] - b[1:-1, 1:-1]) / 4
        p[:, -1] = p[:, -2]
    return p


def inner(a):
    return a[1:-1, 1:-1]


def either(a, copy):
    if copy:
        return np.sqrt(a)
    return a


def flow(steps, u, p, dt):
    b = np.zeros_like(u)
    for _ in range(steps):
        b = source(b, u, dt)
        p = relax(p, b, 5)
        u[1:-1, 1:-1] -= dt * (p[1:-1, 2:] - p[1:-1, :-2])
    return u, p


def part(p):
    q = inner(p)
    q += 1.0
    return q


def chosen(a, copy):
    c = either(a, copy)
    c *= 2.0
    return c


n = 17
u = np.zeros((n, n))
u[-1] = 1.0
p = np.outer(np.sin(np.linspace(0, 3, n)), np.cos(np.linspace(0, 3, n)))
u2, p2 = flow(7, u, p, 0.1)
print(u2 is u, p2 is p)
p2[0] = 7.0
print(p[0, 0], float(u.sum().round(9)))
q = part(p)
q[0] = 5.0
print(float(p[1].sum()), q.base is p)
c = chosen(p, False)
print(c is p)
d = chosen(p, True)
print(d is p)
d[0] = -1.0
np.savez(sys.argv[1], u=u, p=p, q=q, c=c, d=d)
