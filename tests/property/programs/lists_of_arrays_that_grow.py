"""Lists and tuples of arrays that grow in place by arrays and by numbers."""

import numpy as np


def two(b):
    q = [b * 2]
    q += [1.0, 2]
    return q[1] + 1, q[-1] / 4, q[0].sum(), isinstance(q[1], float)


def three(b):
    t = (b, b * 2)
    t += (b + 1,)
    t += (3.0,)
    return t[2].sum(), t[3], len(t), t[-1]


def four(b):
    t = (1.0, 2.0)
    t += (b * 3,)
    s = t + (b,)
    return s[2].sum(), s[3].sum(), s[0]


def five(b):
    q = []
    q += [b]
    q += [b * 2, b * 3]
    q[1:2] = [b * 5, b * 7]
    q *= 2
    q = q * 2
    return np.array([v.sum() for v in q]), len(q)


def six(b):
    q = [1.0] * 3
    q += list(b[:3])
    q += b[3:5].tolist()
    q.extend(b[5:6])
    return sum(q), type(q[0]).__name__, len(q), max(q)


def seven(b):
    d = {"k": [b]}
    d["k"] += [b * 2]
    d["k"] += [4.0]
    return d["k"][1].sum(), d["k"][2]


def eight(b):
    q = [1.0, 2.0, 3.0]
    p = q
    q *= b[:3]
    return q.sum(), len(p), p


def nine(b):
    q = [b, b * 2]
    q -= b
    return q.sum(), q.shape


def main():
    b = np.sin(np.arange(30000.0))
    r = two(b)
    print(f"{r[0]} {r[1]} {r[2]:.6f}", r[3])
    r = three(b)
    print(f"{r[0]:.6f} {r[1]} {r[2]} {r[3]}")
    r = four(b)
    print(f"{r[0]:.6f} {r[1]:.6f} {r[2]}")
    r = five(b)
    print(f"{r[0].sum():.6f} {r[1]}")
    r = six(b)
    print(f"{r[0]:.6f} {r[1]} {r[2]} {r[3]:.6f}")
    r = seven(b)
    print(f"{r[0]:.6f} {r[1]}")
    r = eight(b)
    print(f"{r[0]:.6f} {r[1]}", r[2])
    r = nine(b)
    print(f"{r[0]:.6f} {r[1]}")


main()
