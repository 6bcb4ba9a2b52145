import sys
import numpy as np

def a1(x: np.ndarray, v: np.ndarray):
    x[np.arange(len(v))] = v
    return x

def a2(d: np.ndarray, w: np.ndarray, N: int):
    I, J = np.indices((N, N))
    I += 1
    J += 1
    d[I, J] = w[I, J] * 2
    return d

def a3(p: np.ndarray, y: np.ndarray):
    g = p.copy()
    g[np.arange(len(y)), y] -= 1
    return g

def a4(x: np.ndarray, v: np.ndarray):
    order = np.argsort(v)
    out = np.empty_like(v)
    out[order] = x[order] * v
    return out

def a5(x: np.ndarray, v: np.ndarray, n: int):
    I = np.arange(n)
    K = I
    K[0] = 1
    x[I] = v[I]
    return x

def a6(x: np.ndarray, v: np.ndarray, n: int):
    I = np.arange(-3, n)
    x[I] = v[I]
    return x

def a7(x: np.ndarray, v: np.ndarray):
    i, j = np.nonzero(x > 0)
    x[i, j] = v[i, j]
    x[j, i] = v[i, j]
    return x

def a8(x: np.ndarray, v: np.ndarray):
    i, j = np.nonzero(x > 0)
    x[i, 0] = v[i, j]
    return x

def a9(x: np.ndarray, v: np.ndarray):
    idx = (np.array([0, 0]), np.array([1, 1]))
    x[idx] = v
    return x

def b1(x: np.ndarray, v: np.ndarray, n: int):
    yy, xx = np.mgrid[0:n, 0:n]
    x[yy, xx] = v * v
    return x

def b2(x: np.ndarray, y: np.ndarray, v: np.ndarray, n: int):
    x[np.arange(n), y] = v * v
    return x

def b3(n: int, m: int):
    x = np.sin(np.linspace(0.0, 9.0, n * m)).reshape(n, m)
    order = np.argsort(x)
    x = x[0]
    x[order] = np.cos(order)
    return x

def b4(x: np.ndarray, v: np.ndarray):
    i = np.arange(1)
    y = np.array([0, 0, 0])
    x[i, y] = v[:3] * 2
    return x

if __name__ == "__main__":
    r = np.random.default_rng(0)
    n = 6
    m = r.normal(size=(8, 8))
    w = r.normal(size=(8, 8))
    v = r.normal(size=8)
    np.savez(sys.argv[1], a1=a1(v.copy(), v[:5] * 2), a2=a2(m.copy(), w, n), a3=a3(m, np.array([1, 2, 3, 1, 1, 0, 0, 7])),
             a4=a4(v, v[::-1].copy()), a5=a5(v.copy(), v * 2, 4), a6=a6(v.copy(), v * 2, 4), a7=a7(m.copy(), w), a8=a8(m.copy(), w),
             b1=b1(m.copy(), w[:6, :6], 6), b2=b2(m.copy(), np.array([3, 1, 4, 1, 5, 1, 2, 6]), v, 8),
             a9=a9(m.copy(), v[:2]), b3=b3(4, 5), b4=b4(m.copy(), v))
