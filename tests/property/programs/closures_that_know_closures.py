import numpy as np


def wrap(f):
    def run(v):
        return f(v) + 1.0

    return run


def make(a):
    def base(v):
        return np.sin(a) @ v

    return wrap(base)


def smooth(a, v, n):
    op = make(a)
    for _ in range(n):
        v = 0.1 * op(v)
    return op, v


def main():
    rng = np.random.default_rng(0)
    a = rng.normal(size=(300, 300))
    v = np.linspace(0.0, 1.0, 300)
    op, w = smooth(a, v, 20)
    a.tofile("a.bin")
    a[rng.integers(0, 300, 5)] = 5.0
    print(a[:3, :3].tolist() == np.array(a[:3, :3]).tolist())
    a[0, 0] = 100.0
    print(f"{w.sum():.6f} {op(v).sum():.6f}")


main()
