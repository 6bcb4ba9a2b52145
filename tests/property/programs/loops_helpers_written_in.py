"""Functions that give several numbers, or work on arrays, written where loops call them."""

import math
import numpy as np

def interp(table, t):
    m = len(table)
    k = int(t * (m - 1))
    if k >= m - 1:
        return table[m - 1]
    fr = t * (m - 1) - k
    return table[k] * (1 - fr) + table[k + 1] * fr

def lookup(x, table):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = interp(table, x[i])
    return out

def neighbours(grid, i, j):
    n, m = grid.shape
    return grid[i - 1, j] + grid[(i + 1) % n, j] + grid[i, j - 1] + grid[i, (j + 1) % m]

def laplace(u):
    n, m = u.shape
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            out[i, j] = neighbours(u, i, j) - 4 * u[i, j]
    return out

def dist(p, q):
    d = p - q
    return np.sqrt(np.dot(d, d))

def nearest(points, refs):
    out = np.zeros(len(points), dtype=int)
    for i in range(len(points)):
        best = np.inf
        for j in range(len(refs)):
            d = dist(points[i], refs[j])
            if d < best:
                best = d
                out[i] = j
    return out

def dist2(p, q):
    s = 0.0
    for k in range(len(p)):
        s += (p[k] - q[k]) ** 2
    return s

def pair(points):
    n = len(points)
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            out[i, j] = dist2(points[i], points[j])
    return out

def flux(ul, ur, c):
    fl, fr = c * ul, c * ur
    if c > 0:
        return fl, ul
    elif c < 0:
        return fr, ur
    return 0.5 * (fl + fr), 0.0

def faces(u, c):
    n = len(u)
    f = np.zeros(n + 1)
    w = np.zeros(n + 1)
    for i in range(1, n):
        f[i], w[i] = flux(u[i - 1], u[i], c)
    return f, w

def accel(pos, i, eps):
    ax = ay = 0.0
    for j in range(len(pos)):
        dx = pos[j, 0] - pos[i, 0]
        dy = pos[j, 1] - pos[i, 1]
        r2 = dx * dx + dy * dy + eps
        w = 1.0 / (r2 * math.sqrt(r2))
        ax += dx * w
        ay += dy * w
    return ax, ay

def nbody(pos, vel, dt, steps):
    acc = np.zeros_like(pos)
    for s in range(steps):
        for i in range(len(pos)):
            acc[i, 0], acc[i, 1] = accel(pos, i, 1e-2)
        for i in range(len(pos)):
            for k in range(2):
                vel[i, k] += dt * acc[i, k]
                pos[i, k] += dt * vel[i, k]
    return pos

def mean_window(x, i, r):
    lo = max(0, i - r)
    hi = min(len(x), i + r + 1)
    s = 0.0
    for k in range(lo, hi):
        s += x[k]
    return s / (hi - lo)

def smooth(x, r):
    out = np.empty(len(x))
    for i in range(len(x)):
        out[i] = mean_window(x, i, r)
    return out

def find(keys, v):
    for k in range(len(keys)):
        if keys[k] >= v:
            return k
    return -1

def digitise(x, keys):
    out = np.zeros(len(x), dtype=int)
    for i in range(len(x)):
        out[i] = find(keys, x[i])
    return out

def f3(state):
    x, v = state
    return np.array([v, -x])

def osc(starts, n, dt):
    out = np.zeros((len(starts), 2))
    for i in range(len(starts)):
        y = np.array([starts[i, 0], starts[i, 1]])
        for _ in range(n):
            k1 = f3(y)
            k2 = f3(y + dt / 2 * k1)
            y = y + dt * k2
        out[i, 0] = y[0]
        out[i, 1] = y[1]
    return out

def screen(points, focal):
    near = 0.1

    def seen(x, y, z):
        if z <= near:
            return 0.0, 0.0
        scale = focal / z
        return x * scale, y * scale

    out = np.zeros((len(points), 2))
    for i in range(len(points)):
        u, v = seen(points[i, 0], points[i, 1], points[i, 2])
        out[i, 0] = u
        out[i, 1] = v
    return out


def swapped(a, b):
    if a < b:
        return b, a
    return a, b


def sorted_pairs(x):
    for i in range(0, len(x) - 1, 2):
        x[i], x[i + 1] = swapped(x[i], x[i + 1])
    return x


def taken(x, k, v):
    old = x[k]
    x[k] = v
    return old


def shifted(x, y):
    for i in range(len(x)):
        y[i] = taken(x, i, y[i])
    return x, y


if __name__ == "__main__":
    rng = np.random.default_rng(1)
    x = rng.random(300)
    print(lookup(x, rng.random(20)).sum(), laplace(rng.random((20, 30))).sum())
    print(nearest(rng.random((60, 3)), rng.random((40, 3))).sum(), round(pair(rng.random((30, 3))).sum(), 9))
    print(faces(x, .3)[0].sum(), faces(x, -.3)[1].sum())
    print(np.round(nbody(rng.random((20, 2)), rng.random((20, 2)), .01, 4)[3], 9), round(smooth(x, 4).sum(), 9))
    print(digitise(x, np.linspace(0, .9, 20)).sum(), osc(rng.random((30, 2)), 10, .01).sum())
    print(round(screen(rng.normal(size=(50, 3)), 2.0).sum(), 9), sorted_pairs(x.copy())[:6])
    print(shifted(x.copy(), np.arange(300.0))[1][:4])
