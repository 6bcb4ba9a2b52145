import sys

import numpy as np


def after_a_kernel(x, n):
    """The serial loop reads what the kernel reads."""
    y = np.zeros(n)
    for i in range(n):
        y[i] = x[i] * x[i] + 1.0
    s, last = 0.0, 0.0
    for i in range(n):
        if x[i] > last:
            s = s * 0.5 + x[i]
        last = s
    return y, s


def of_its_result(x):
    """It reads what the kernel has just made, again and again."""
    n = len(x)
    y = np.zeros(n)
    state = 0.0
    for step in range(4):
        for i in range(n):
            y[i] = np.sin(x[i] + step) + y[i]
        for i in range(n):
            state = 0.5 * state + y[i] if y[i] > state else state - y[i]
    return y, state


def changed_under_way(x):
    """It writes to what it reads: by another name."""
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = x[i] + 1.0
    tail = y[1:]
    s = 0.0
    for i in range(len(tail)):
        s = 0.3 * s + y[i]
        tail[i] = s
    return y, s


def scale(a, k):
    a[k:] *= 0.5


def changed_by_a_call(x):
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = x[i] * 2.0
    s = 0.0
    for i in range(len(x)):
        s = 0.9 * s + y[i]
        if s > 3.0:
            scale(y, i)
            s = 0.0
    return y, s


def swapped(u, steps):
    """The array has another name in each round."""
    v = np.zeros_like(u)
    seen = []
    for _ in range(steps):
        for i in range(1, len(u) - 1):
            v[i] = 0.5 * (u[i - 1] + u[i + 1])
        worst = 0
        for i in range(len(v)):
            if abs(v[i]) > abs(v[worst]) and i % 5 != worst:
                worst = i
                seen.append(v[i])
        u, v = v, u
    return u, np.array(seen)


def in_order(points, weights):
    """Two axes, and a loop over the items themselves."""
    total = np.zeros(len(weights))
    for i in range(len(weights)):
        total[i] = points[i, 0] * points[i, 1] * weights[i]
    order, level = [], 0.0
    for w, t in zip(weights, total):
        level = level * 0.25 + w
        if level > t:
            order.append(level)
    for i in range(len(weights)):
        level = level - points[i, 0] if points[i, 1] < level else level * 1.5
    return total, np.array(order), level


x = np.sin(np.arange(30.0)) * 2.0
y, s = after_a_kernel(x, 30)
z, t = of_its_result(x)
v, r = changed_under_way(x)
w, q = changed_by_a_call(x)
u, seen = swapped(x.copy(), 5)
points = np.stack([np.cos(x), np.sin(x + 1.0)], axis=1)
total, order, level = in_order(points, x * x)
print(f"{level:.12f} {s:.12f} {t:.12f} {r:.12f} {q:.12f}", len(order), len(seen))
np.savez(sys.argv[1], u=u, seen=seen, total=total, order=order, v=v, w=w, y=y, z=z)
