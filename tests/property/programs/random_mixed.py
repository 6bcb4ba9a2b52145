import sys

import numpy as np

def walk(n, seed):
    rng = np.random.default_rng(seed)
    x = np.zeros(n)
    for _ in range(4):
        x += rng.normal(0.0, 1.0, n)
        x[rng.integers(0, n)] = 0.0
    rng.shuffle(x)
    return np.sin(x), rng.permutation(n), rng.choice(x, 2)


def legacy(n):
    np.random.seed(4)
    a = np.random.rand(n, 2)
    b = np.random.randint(0, 5, size=n)
    np.random.shuffle(a)
    return np.sqrt(a) * b[:, None], np.random.permutation(b)


np.savez(sys.argv[1], *walk(6, 1), *legacy(5))
