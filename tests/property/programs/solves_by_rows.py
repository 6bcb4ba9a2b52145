import sys

import numpy as np


def thomas(a, b, c, d):
    n = len(d)
    upper = np.empty(n)
    right = np.empty(n)
    upper[0] = c[0] / b[0]
    right[0] = d[0] / b[0]
    for i in range(1, n):
        m = b[i] - a[i] * upper[i - 1]
        upper[i] = c[i] / m
        right[i] = (d[i] - a[i] * right[i - 1]) / m
    x = np.empty(n)
    x[-1] = right[-1]
    for i in range(n - 2, -1, -1):
        x[i] = right[i] - upper[i] * x[i + 1]
    return x


def alternating(u, r, a, b, c):
    half = u.copy()
    for j in range(1, u.shape[1] - 1):
        d = u[:, j].copy()
        d[1:-1] = r * u[1:-1, j - 1] + (1 - 2 * r) * u[1:-1, j] + r * u[1:-1, j + 1]
        half[:, j] = thomas(a, b, c, d)
    new = half.copy()
    for i in range(1, u.shape[0] - 1):
        new[i, :] = thomas(a, b, c, half[i, :])
    return new


def in_place(u, a, b, c):
    """What one row is solved to, the next one starts from."""
    for i in range(1, u.shape[0]):
        u[i] = thomas(a, b, c, u[i] + 0.1 * u[i - 1])
    return u


def smoothed(u):
    """A view that is written to, and as long as itself."""
    out = np.zeros(u.shape)
    for j in range(u.shape[1]):
        d = u[:, j]
        d[0] = 2.0 * d[0]
        y = np.zeros(d.shape[0])
        for i in range(1, len(d)):
            y[i] = 0.5 * y[i - 1] + d[i]
            d[i] = y[i] - d[i - 1]
        out[:, j] = y
    return out


def ends(u):
    last = np.zeros(u.shape[1])
    for j in range(u.shape[1]):
        d = u[:, j]
        s = 0.0
        for i in range(len(d)):
            s = 0.5 * s + d[i] * d[-1]
        last[j] = s
    return last


def of_two_lengths(u, v):
    """What is made is as long as the one or the other."""
    out = np.zeros(len(u))
    for j in range(len(u)):
        d = u[j].copy()
        if j % 2:
            d = v[j].copy()
        y = np.zeros(len(d))
        for i in range(1, len(d)):
            y[i] = y[i - 1] + d[i]
        out[j] = y[-1]
    return out


def filtered(v, b, a):
    y = np.empty_like(v)
    y[0] = b * v[0]
    for k in range(1, len(v)):
        y[k] = b * v[k] + b * v[k - 1] - a * y[k - 1]
    return y


def middle(v):
    out = v.copy()
    for i in range(1, len(v) - 1):
        out[i] = max(min(v[i - 1], v[i]), min(max(v[i - 1], v[i]), v[i + 1]))
    return out


def counted(v, k):
    """As whole numbers where it is made like some, cut off as NumPy cuts them off."""
    left = np.zeros_like(k)
    room = np.ones(v.shape, dtype=v.dtype)
    for i in range(1, left.size):
        left[i] = left[i - 1] + 2.7 * v[i] + k[i]
        room[i] = room[i - 1] * 0.5 + left[i]
    return left, room


def each(x, k):
    smooth, clean = np.zeros_like(x), np.zeros(x.shape, x.dtype)
    whole, rest = np.zeros_like(k), np.zeros_like(x)
    for t in range(x.shape[0]):
        smooth[t] = filtered(x[t], 0.2, -0.6)
    for t in range(x.shape[0]):
        clean[t] = middle(x[t])
    for t in range(x.shape[0]):
        whole[t], rest[t] = counted(x[t], k[t])
    return smooth, clean, whole, rest


n = 14
x = np.sin(np.arange(n * n) * 0.37).reshape(n, n)
a, b, c = np.full(n, -0.4), np.full(n, 1.8), np.full(n, -0.4)
u = x
for _ in range(3):
    u = alternating(u, 0.4, a, b, c)
w = in_place(x.copy(), a, b, c)
y = x[:, 3:9].copy()
z = smoothed(y)
e = ends(x)
t = of_two_lengths(x, x[:, :5])
print(f"{u.sum():.12f} {w.sum():.12f} {z.sum():.12f} {t.sum():.12f}")
found = {"u": u, "w": w, "y": y, "z": z, "e": e, "t": t}
k = (np.arange(n * n) * 7 % 11 - 5).reshape(n, n)
for name, v, i in (("64", x, k), ("32", x.astype(np.float32), k.astype(np.int32))):
    for part, value in zip("abcd", each(v, i)):
        found[part + name] = value
np.savez(sys.argv[1], **found)
