"""Lambdas."""
import numpy as np


def integrate(f, a, b, n):
    x = np.linspace(a, b, n + 1)
    y = f(x)
    h = (b - a) / n
    return h * (y[0] / 2 + y[1:-1].sum() + y[-1] / 2)


def main():
    cases = {
        "sine": lambda x: np.sin(x),
        "gauss": lambda x: np.exp(-(x**2)),
        "poly": lambda x: 3 * x**2 - 2 * x + 1,
    }
    for name, f in cases.items():
        print(name, f"{integrate(f, 0.0, 2.0, 1000):.8f}")
    k = 3.0
    damp = lambda x: np.exp(-k * x)
    print(f"{integrate(damp, 0.0, 1.0, 500):.8f}")
    print(f"{integrate(lambda x: np.cos(k * x), 0.0, 1.0, 500):.8f}")


if __name__ == "__main__":
    main()
