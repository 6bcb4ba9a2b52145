import numpy as np


def statistics(x: np.ndarray, groups: np.ndarray):
    found = {}
    for k in range(3):
        part = x[groups == k]
        found[k] = (part.mean(axis=0), part.sum(), part[0, 0])
    return found


def use(found):
    total = 0.0
    for k in sorted(found):
        mean, s, first = found[k]
        s += 1
        first -= 2.0
        total = total + s + first + mean.sum()
    mean, s, first = found[0]
    pair = [found[1][1], found[1][2]]
    a, b = pair
    a += 100
    return total, s, first, pair[0], a


def rows(x: np.ndarray):
    pairs = [(x[i, 0], x[i, 1]) for i in range(len(x))]
    x[:] = 0
    p, q = pairs[1]
    p += 1
    return p, q, pairs[1][0]


rng = np.random.default_rng(0)
x = rng.normal(size=(30, 4))
g = np.arange(30) % 3
f = statistics(x, g)
print([float(v) for v in use(f)])
print(float(f[0][1]), float(f[1][2]))
print([float(v) for v in rows(x)])
