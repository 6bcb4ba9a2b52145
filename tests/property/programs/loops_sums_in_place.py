"""Running sums, products and extremes that stand in the array itself."""

import numpy as np
def a(x: np.ndarray):
    y = np.zeros(len(x))
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = y[i - 1] + x[i]
    return y
def b(x: np.ndarray):
    for i in range(1, len(x)):
        x[i] += x[i - 1]
    return x
def c(x: np.ndarray):
    for i in range(len(x) - 1):
        x[i + 1] = x[i + 1] + x[i]
    return x
def d(x: np.ndarray):
    for i in range(1, len(x)):
        x[i] = x[i] + x[i - 1]
    return x
def e(x: np.ndarray):
    for j in range(x.shape[1]):
        for i in range(1, x.shape[0]):
            x[i, j] += x[i - 1, j]
    return x
def f(x: np.ndarray):
    for i in range(1, len(x)):
        x[i] = max(x[i], x[i - 1])
    return x
def g(x: np.ndarray):
    for i in range(len(x) - 2, -1, -1):
        x[i] += x[i + 1]
    return x
def sat(x: np.ndarray):
    h, w = x.shape
    s = np.zeros((h + 1, w + 1))
    for i in range(1, h + 1):
        for j in range(1, w + 1):
            s[i, j] = x[i - 1, j - 1] + s[i - 1, j] + s[i, j - 1] - s[i - 1, j - 1]
    return s
def h(x: np.ndarray):
    for i in range(1, len(x)):
        x[i] *= x[i - 1]
    return x
def k(x: np.ndarray):
    for i in range(1, len(x)):
        x[i] -= x[i - 1]
    return x
def l(x: np.ndarray):
    for i in range(1, len(x)):
        x[i] = x[i - 1] - x[i]
    return x
def m(x: np.ndarray):
    for i in range(1, len(x)):
        x[i] = max(x[i - 1], x[i])
    return x
def n(x: np.ndarray):
    for i in range(1, len(x)):
        x[i] = x[i - 1] + 2 * x[i] * x[i]
    return x
def o(x: np.ndarray):
    t = np.zeros(len(x))
    for i in range(1, len(x)):
        x[i] += x[i - 1]
        t[i] = x[i] * 2
    return x, t
def p(x: np.ndarray):
    t = np.zeros(len(x))
    for i in range(1, len(x)):
        t[i] = x[i] * 2
        x[i] += x[i - 1]
    return x, t
def q(x: np.ndarray):
    for i in range(2, len(x)):
        x[i] += x[i - 2]
    return x
def s(x: np.ndarray):
    for i in range(1, len(x)):
        x[i] += x[i]
        x[i] += x[i - 1]
    return x
def v(x: np.ndarray):
    for j in range(2):
        for i in range(1, 3):
            x[j, i] += x[j, i - 1]
    return x
r = np.random.default_rng(0).random(6)
print('a', a(r.copy()), a(np.arange(1, 6, dtype=np.int64)))
print('b', b(r.copy()), b(np.arange(1, 6, dtype=np.int64)))
print('c', c(r.copy()), c(np.arange(1, 6, dtype=np.int64)))
print('d', d(r.copy()), d(np.arange(1, 6, dtype=np.int64)))
print('f', f(r.copy()), f(np.arange(1, 6, dtype=np.int64)))
print('g', g(r.copy()), g(np.arange(1, 6, dtype=np.int64)))
print('h', h(r.copy()), h(np.arange(1, 6, dtype=np.int64)))
print('k', k(r.copy()), k(np.arange(1, 6, dtype=np.int64)))
print('l', l(r.copy()), l(np.arange(1, 6, dtype=np.int64)))
print('m', m(r.copy()), m(np.arange(1, 6, dtype=np.int64)))
print('n', n(r.copy()), n(np.arange(1, 6, dtype=np.int64)))
print('o', o(r.copy()), o(np.arange(1, 6, dtype=np.int64)))
print('p', p(r.copy()), p(np.arange(1, 6, dtype=np.int64)))
print('q', q(r.copy()), q(np.arange(1, 6, dtype=np.int64)))
print('s', s(r.copy()), s(np.arange(1, 6, dtype=np.int64)))
print(e(np.ones((3, 2))), sat(np.ones((3, 2))), v(np.ones((2, 3))))
print(b(np.arange(6, dtype=np.int32)), b(np.array([np.nan, 1.0, 2.0])), b(np.zeros(0)), b(np.ones(1)))
print(h(np.arange(6, dtype=np.int32)), h(np.array([np.nan, 1.0, 2.0])), h(np.zeros(0)), h(np.ones(1)))
print(m(np.arange(6, dtype=np.int32)), m(np.array([np.nan, 1.0, 2.0])), m(np.zeros(0)), m(np.ones(1)))
print(n(np.arange(6, dtype=np.int32)), n(np.array([np.nan, 1.0, 2.0])), n(np.zeros(0)), n(np.ones(1)))
print(b(np.arange(3, 9, dtype=np.uint8) * 30), b(np.ones(5, dtype=np.float32)), m(np.ones((0,))))
