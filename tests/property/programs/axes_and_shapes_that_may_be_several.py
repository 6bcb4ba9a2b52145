"""Parameters that are an axis or a shape: one number in one call, several in another."""
import numpy as np


def filled(shape, n):
    a = np.zeros(shape)
    for i in range(n):
        a[i] = np.sin(i * 2.0)
    return a


def summed(u: np.ndarray, axis):
    s = np.sum(u, axis)
    t = s
    t += 1.0
    return s, t


def averaged(u: np.ndarray, axis=0):
    s = np.mean(u, axis=axis)
    t = s
    t *= 2.0
    return s, t


def raised(shape, k: int):
    a = np.ones(shape)
    b = a[k]
    b += 1
    return a


def turned(u: np.ndarray, axes, k: int):
    v = np.transpose(u, axes)[k]
    v = np.exp(v)
    w = v[k]
    w += 1.0
    return v, w


def folded(u: np.ndarray, n: int):
    v = np.sqrt(u).reshape((2,) * n)
    w = v[0]
    w += 1.0
    return v, w


u = np.arange(1.0, 9.0)
m = u.reshape(2, 4)
print(filled((3, 4), 3), filled(4, 3))
print(summed(m, (0, 1)), summed(m, 0))
print(averaged(m, (0, 1)), averaged(m), averaged(u))
print(raised((3, 4), 1), raised(3, 1))
print(turned(m, (1, 0), 1), turned(np.stack([m, m + 1]), None, 1))
print(folded(u, 3), folded(u[:2], 1))
