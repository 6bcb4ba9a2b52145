import sys
import numpy as np

inner = np.s_[1:-1, 1:-1]
EAST = (slice(1, -1), slice(2, None))

def lap(u: np.ndarray):
    west = (slice(1, -1), slice(None, -2))
    n = np.s_[:-2, 1:-1]
    out = np.zeros_like(u)
    out[inner] = u[EAST] + u[west] + u[n] + u[2:, 1:-1] - 4 * u[inner]
    return np.exp(out) * 0.1

def loc(u: np.ndarray):
    west = (slice(1, -1), slice(None, -2))
    return np.exp(u[west]) * np.sqrt(np.abs(u[west]))

def loc2(u: np.ndarray):
    rows = slice(2, 5)
    return np.exp(u[rows]) * np.sqrt(np.abs(u[rows, 1:4].sum()))

def loc3(u: np.ndarray):
    n = np.s_[:-2, 1:-1]
    return np.exp(u[n]) * np.sqrt(np.abs(u[n]))

def loc4(u: np.ndarray):
    return np.exp(u[inner]) * np.sqrt(np.abs(u[inner]))

def loc5(u: np.ndarray):
    return np.exp(u[EAST]) * np.sqrt(np.abs(u[EAST]))

def diff_along(u: np.ndarray, axis):
    lo, hi = [slice(None)] * u.ndim, [slice(None)] * u.ndim
    lo[axis] = slice(None, -1)
    hi[axis] = slice(1, None)
    return np.exp(u[tuple(hi)] - u[tuple(lo)]) * np.sqrt(2.0)

x = np.linspace(-1, 1, 30)
u = np.outer(x, x)
np.savez(sys.argv[1], lap=lap(u), l=loc(u), l2=loc2(u), l3=loc3(u), l4=loc4(u), l5=loc5(u), d=diff_along(u, 1))
