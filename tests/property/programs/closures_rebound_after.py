import numpy as np


def rebound_after():
    w = np.ones(3)

    def f(x):
        return x * w

    first = f(np.arange(3.0))
    w = np.full(3, 2.0)
    return first, f(np.arange(3.0))


def main():
    a, b = rebound_after()
    print(a, b)


main()
