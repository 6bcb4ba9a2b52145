"""Arrays added to lists in place: NumPy makes an array of both."""

import numpy as np


def gather(b, n):
    out = np.zeros(b.shape[1])
    for i in range(n):
        q = [b[i], b[i + 1]]
        q += b[i + 2]
        out += q[0] * len(q)
    return out


def gather2(b, n):
    s = 0.0
    for i in range(n):
        q = [b[i], b[i + 1]]
        q += b[i + 2]
        s += (q[1] + q[-1]).sum()
    return s


def gather3(b):
    q = [b[0], b[1]]
    q += b[2]
    return len(q), q[1].sum(), q[0, 3]


def gather4(b):
    q = [1.0, 2.0]
    q += b
    return np.array(q)


def gather5(b):
    q = [1.0, 2.0]
    q = q + b
    return q


def gather6(b):
    q = []
    for k in range(3):
        q += b[k],
        q += [b[k] * 2]
    q *= 2
    q.extend(b)
    return np.stack(q)


def main():
    b = np.sin(np.arange(600.0)).reshape(30, 20)
    print(f"{gather(b, 20).sum():.6f}")
    print(f"{gather2(b, 20):.6f}")
    n, s, v = gather3(b)
    print(n, f"{s:.6f} {v:.6f}")
    print(f"{gather4(b[0, :2]).sum():.6f} {gather5(b[0, :2]).sum():.6f}")
    print(gather6(b).shape, f"{gather6(b).sum():.6f}")


main()
