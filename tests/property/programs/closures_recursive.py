import numpy as np


def recursive(levels):
    def smooth(x, depth):
        if depth == 0:
            return x
        return smooth(0.5 * (x + np.roll(x, 1)), depth - 1)

    def even(x, n):
        return x if n == 0 else odd(x + 1, n - 1)

    def odd(x, n):
        return -x if n == 0 else even(x * 2, n - 1)

    return smooth(np.arange(8.0), levels), even(np.arange(3.0), 5)


def main():
    a, b = recursive(3)
    print(a, b)


main()
