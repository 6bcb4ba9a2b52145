import numpy as np


def counted():
    count = 0

    def f(x):
        nonlocal count
        count += 1
        return np.cos(x)

    y = f(np.arange(3.0)) + f(np.arange(3.0))
    return y, count


def main():
    y, n = counted()
    print(y, n)


main()
