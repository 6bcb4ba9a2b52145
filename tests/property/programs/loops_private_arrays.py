"""Loops whose iterations make small arrays, lists and tuples for themselves."""

import math
import sys

import numpy as np


def gravity(pos, mass, softening):
    n = pos.shape[0]
    out = np.zeros((n, 3))
    for i in range(n):
        total = np.zeros(3)
        for j in range(n):
            if j == i:
                continue
            d = pos[j] - pos[i]
            r = np.sqrt(d.dot(d) + softening**2)
            total += mass[j] * d / r**3
        out[i] = total
    return out


def boris(x, v, e, b, dt):
    for p in range(len(x)):
        t = b * dt * 0.5
        s = 2 * t / (1 + np.dot(t, t))
        minus = v[p] + e * dt * 0.5
        prime = minus + np.cross(minus, t)
        plus = minus + np.cross(prime, s)
        v[p] = plus + e * dt * 0.5
        x[p] += v[p] * dt
    return x, v


def lorentz(points):
    out = np.empty_like(points)
    for k in range(points.shape[0]):
        field = np.array([0.0, 0.0, 1.5])
        speed = points[k] * 0.5
        force = np.cross(speed, field)
        force += 0.1
        out[k, :] = force
    return out


def stress(strain, lam, mu):
    n = strain.shape[0]
    out = np.zeros((n, 3))
    energy = np.zeros(n)
    for i in range(n):
        s = np.zeros(3)
        trace = strain[i, 0] + strain[i, 1]
        for a in range(2):
            s[a] = lam * trace + 2 * mu * strain[i, a]
        s[2] = mu * strain[i, 2]
        for a in range(3):
            energy[i] += 0.5 * s[a] * strain[i, a]
            out[i, a] = s[a]
    return out, energy


def whole_numbers(x):
    out = np.zeros((len(x), 2))
    for i in range(len(x)):
        count = np.zeros(2, dtype=int)
        count[0] = x[i]
        count[1] += 3
        count[1] = count[1] / 2
        out[i, 0] = count[0]
        out[i, 1] = count[1] // 2 + count[-1]
    return out


def narrow(x):
    out = np.zeros((len(x), 2))
    for i in range(len(x)):
        v = np.zeros(2, dtype=np.float32)
        v[0] = x[i]
        v[1] = 1 / 3
        v *= 2
        out[i, 0] = v[0]
        out[i, 1] = v[1] + v.sum()
    return out


def swapped(x):
    out = np.zeros_like(x)
    for i in range(len(x)):
        v = [x[i, 0], x[i, 1], x[i, 2]]
        if v[0] > v[1]:
            v[0], v[1] = v[1], v[0]
        if v[1] > v[2]:
            v[1], v[2] = v[2], v[1]
        if v[0] > v[1]:
            v[0], v[1] = v[1], v[0]
        out[i, 0] = v[1]
        out[i, 1] = max(v) - min(v)
        out[i, 2] = sum(v) / len(v)
    return out


def normalised(x):
    n = len(x)
    out = np.zeros((n, 3))
    for i in range(n):
        v = np.array([x[i], 1.0, i])
        v = v / np.linalg.norm(v)
        v /= np.sqrt(np.sum(v**2))
        v[0], v[2] = v[2], v[0] * 2
        w = v.copy()
        w[1] = 9
        out[i] = v + w
    return out


def rungekutta(state, dt, steps):
    n = state.shape[0]
    for i in range(n):
        y = np.array([state[i, 0], state[i, 1]])
        for _ in range(steps):
            k1 = np.array([y[1], -math.sin(y[0])])
            mid = y + 0.5 * dt * k1
            k2 = np.array([mid[1], -math.sin(mid[0])])
            y = y + dt * k2
        state[i] = y
    return state


def shared_names(x):
    out = np.zeros((len(x), 2))
    for i in range(len(x)):
        v = np.zeros(2)
        w = v
        w[0] = x[i]
        out[i] = v
    return out


def view_changed(x):
    total = 0.0
    for i in range(len(x)):
        row = x[i]
        acc = np.zeros(2)
        acc += row
        row += 1
        total += acc[0]
    return x, total


def conditional(x):
    out = np.zeros((len(x), 2))
    for i in range(len(x)):
        if x[i] > 0:
            v = np.array([x[i], 2.0])
        else:
            v = np.array([0.0, x[i]])
        while v[0] < 1:
            v += 0.25
        a, b = v
        out[i, 0], out[i, 1] = b, a
    return out


def beyond(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        v = np.zeros(2)
        try_ = i % 3
        v[0] = x[i]
        out[i] = v[try_ - 1]
    return out


def carried(x):
    out = np.zeros((len(x), 2))
    v = np.zeros(2)
    for i in range(len(x)):
        out[i] = v
        v = np.zeros(2)
        v[0] = x[i]
    return out, v


def summed(x):
    total = np.zeros(2)
    for i in range(len(x)):
        d = np.array([x[i], 1.0])
        total += d
    return total


def weights(f, u):
    n, m = u.shape
    out = np.zeros((n, m))
    w = (4 / 9, 1 / 9, 1 / 36)
    for i in range(n):
        for j in range(m):
            c = [1.0, u[i, j], u[i, j] ** 2]
            s = 0.0
            for k in range(3):
                s += w[k] * c[k]
            for q in c:
                s += q
            out[i, j] = s * f
    return out


def flags(x):
    out = np.zeros(len(x), dtype=bool)
    for i in range(len(x)):
        v = np.zeros(3)
        v += x[i]
        ok = v > 1
        out[i] = ok[0]
    return out


def complexes(z):
    out = np.zeros((len(z), 2), dtype=complex)
    for i in range(len(z)):
        v = np.zeros(2, dtype=complex)
        v[0] = z[i]
        v[1] = z[i].conjugate()
        out[i] = v * 2
    return out


def made_anew(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        q = np.full(2, 3)
        q = q * x[i]
        out[i] = np.dot(q, q)
    return out


def number_again(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        q = np.ones(2)
        q[0] = x[i]
        s = q[0] + q[1]
        q = s * x[i]
        out[i] = q.sum()
    return out


rng = np.random.default_rng(0)
p = rng.normal(size=(7, 3))
x = rng.normal(size=9)
boris_x, boris_v = boris(
    p.copy(), p * 0.3, np.array([0.1, 0, 0.2]), np.array([0, 0, 1.0]), 0.1
)
stressed, energy = stress(p, 0.7, 0.4)
viewed, view_total = view_changed(p[:, :2].copy())
left, last = carried(x)
np.savez(
    sys.argv[1],
    gravity=gravity(p, np.abs(x), 0.1),
    nobody=gravity(p[:0], x, 0.1),
    flat=gravity(np.zeros((2, 3)), x, 0.0) if False else 0,
    boris_x=boris_x,
    boris_v=boris_v,
    lorentz=lorentz(p),
    stressed=stressed,
    energy=energy,
    whole_numbers=whole_numbers(x * 4),
    narrow=narrow(x),
    swapped=swapped(p),
    normalised=normalised(x),
    rungekutta=rungekutta(p[:, :2].copy(), 0.05, 6),
    shared_names=shared_names(x),
    made_anew=made_anew(x),
    number_again=number_again(x),
    viewed=viewed,
    view_total=view_total,
    conditional=conditional(x),
    beyond=beyond(x),
    left=left,
    last=last,
    summed=summed(x),
    weights=weights(0.5, p),
    flags=flags(x + 1),
    complexes=complexes(p[:, 0] + 1j * p[:, 1]),
    single=gravity(p.astype(np.float32), np.abs(x).astype(np.float32), 0.1),
)
try:
    gravity(p[:, :2], np.abs(x), 0.1)
except ValueError as error:
    print("two axes only:", type(error).__name__)
