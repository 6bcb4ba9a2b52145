import numpy as np


def march(f, y, steps):
    for _ in range(steps):
        y = y + 0.01 * f(y)
    return y


def main():
    x = np.linspace(0.0, 1.0, 4000)
    k = 2.0

    def rhs(y):
        return np.sin(k * x) - y

    print([f"{k:.1f}" for k in (1.0, 2.0)])
    y = march(rhs, np.zeros_like(x), 30)
    print(f"{y.sum():.8f}")
    fs = [lambda v: v * k for k in (3.0, 4.0)]
    print(f"{sum(f(y).sum() for f in fs):.6f}")


main()
