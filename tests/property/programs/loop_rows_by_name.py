"""Rows under names of their own in loops: written out, changed in between, kept, taken apart."""

import math
import sys

import numpy as np


def lj_half(pos: np.ndarray, rc: float):
    n = len(pos)
    forces = np.zeros_like(pos)
    energy = 0.0
    for i in range(n - 1):
        for j in range(i + 1, n):
            d = pos[i] - pos[j]
            r2 = np.sum(d**2)
            if r2 < rc**2:
                inv6 = 1.0 / r2**3
                energy += 4 * inv6 * (inv6 - 1)
                f = 24 * inv6 * (2 * inv6 - 1) / r2 * d
                forces[i] += f
                forces[j] -= f
    return forces, energy


def unpacked(pos: np.ndarray, rc: float):
    n = len(pos)
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            dx, dy, dz = pos[i] - pos[j]
            out[i, j] = math.sqrt(dx * dx + dy * dy + dz * dz)
    return out


def rows(x: np.ndarray):
    out = np.zeros(len(x))
    for i in range(len(x)):
        row = x[i]
        s = 0.0
        for j in range(1, x.shape[1]):
            s += abs(row[j] - row[j - 1])
        out[i] = s
    return out


def rows_written(x: np.ndarray):
    for i in range(len(x)):
        row = x[i]
        for j in range(x.shape[1]):
            row[j] = row[j] * 2
    return x


def standardise(x: np.ndarray):
    out = np.zeros_like(x)
    for i in range(x.shape[0]):
        out[i] = (x[i] - x[i].mean()) / x[i].max()
    return out


def normalise(x: np.ndarray):
    for i in range(x.shape[0]):
        x[i] = x[i] / np.linalg.norm(x[i])
    return x


def normalise2(x: np.ndarray):
    for i in range(x.shape[0]):
        n = np.linalg.norm(x[i])
        if n > 0:
            x[i] /= n
    return x


def changed_between(x: np.ndarray, y: np.ndarray):
    out = np.zeros(len(x))
    for i in range(len(x)):
        d = x[i] - y[i]
        x[i, 0] = 5
        out[i] = np.sum(d)
    return out, x


def view_changed(x: np.ndarray):
    out = np.zeros(len(x))
    for i in range(len(x)):
        d = x[i]
        x[i, 0] = 5
        out[i] = np.sum(d)
    return out, x


def index_changed(x: np.ndarray):
    out = np.zeros(len(x))
    for i in range(len(x)):
        k = 0
        d = x[k] * 1.0
        k = i
        out[i] = np.sum(d) + k
    return out


def kept(x: np.ndarray):
    out = np.zeros(len(x))
    d = x[0] * 2
    for i in range(len(x)):
        out[i] = np.sum(d)
        d = x[i] * 1.0
    return out, d


def branch(x: np.ndarray):
    out = np.zeros(len(x))
    for i in range(len(x)):
        if i % 2:
            d = x[i] * 2.0
        else:
            d = x[i] * 3.0
        out[i] = np.sum(d)
    return out


def mutated(x: np.ndarray):
    out = np.zeros(len(x))
    for i in range(len(x)):
        d = x[i] * 2.0
        d[0] = 1
        out[i] = np.sum(d)
    return out


def cosine(a: np.ndarray, b: np.ndarray):
    s = np.zeros((a.shape[0], b.shape[0]))
    for i in range(a.shape[0]):
        for j in range(b.shape[0]):
            u = a[i]
            v = b[j]
            s[i, j] = u @ v / (np.linalg.norm(u) * np.linalg.norm(v))
    return s


def rbf(a: np.ndarray, b: np.ndarray, gamma: float):
    K = np.zeros((len(a), len(b)))
    for i, p in enumerate(a):
        for j, q in enumerate(b):
            diff = p - q
            K[i, j] = np.exp(-gamma * diff.dot(diff))
    return K


def one_d(a: np.ndarray, b: np.ndarray):
    D = np.zeros((len(a), len(b)))
    for i in range(len(a)):
        for j in range(len(b)):
            d = a[i] - b[j]
            D[i, j] = d * d
    return D


def neg(x: np.ndarray):
    out = np.zeros(len(x))
    for i in range(len(x)):
        d = x[i] + 1.0
        out[i] = d[-1] - d[0]
    return out


def velocity(pos: np.ndarray, vel: np.ndarray, dt: float, box: float):
    for i in range(pos.shape[0]):
        pos[i] += vel[i] * dt
        for k in range(pos.shape[1]):
            if pos[i, k] > box:
                vel[i, k] = -vel[i, k]
    return pos, vel


def made(*shape):
    return np.cos(np.arange(float(np.prod(shape)))).reshape(shape) * 2 + 2


def flat(**results):
    found = {}
    for name, result in results.items():
        for k, one in enumerate(result if isinstance(result, tuple) else (result,)):
            found[f"{name}_{k}"] = np.asarray(one)
    return found


results = flat(
    lj_half=lj_half(made(12, 3), 2.5),
    unpacked=unpacked(made(6, 3), 2.5),
    rows=rows(made(6, 4)),
    rows_written=rows_written(made(6, 4)),
    standardise=standardise(made(6, 4)),
    normalise=normalise(made(6, 4)),
    normalise2=normalise2(made(6, 4)),
    changed_between=changed_between(made(6, 4), made(6, 4) + 1),
    view_changed=view_changed(made(6, 4)),
    index_changed=index_changed(made(6, 4)),
    kept=kept(made(6, 4)),
    branch=branch(made(6, 4)),
    mutated=mutated(made(6, 4)),
    cosine=cosine(made(6, 4), made(5, 4)),
    rbf=rbf(made(6, 4), made(5, 4), 0.3),
    one_d=one_d(made(6), made(5)),
    neg=neg(made(6, 4)),
    velocity=velocity(made(6, 4), made(6, 4), 0.1, 3.0),
)
np.savez(sys.argv[1], **results)
