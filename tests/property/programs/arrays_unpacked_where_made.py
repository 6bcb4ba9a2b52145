"""Arrays that are taken apart where they are made."""

import numpy as np


def step(a: np.ndarray, b: np.ndarray):
    return np.sin(a) + b, a - np.cos(b)


def one(n):
    rng = np.random.default_rng(0)
    a, b = rng.random((2, n))
    for _ in range(5):
        a, b = step(a, b)
    return a + b


def two(n):
    rng = np.random.default_rng(0)
    x = rng.random((2, n))
    a, b = x
    for _ in range(5):
        a, b = step(a, b)
    return a + b


def three(n):
    a, b = np.random.default_rng(0).random((2, n))
    c = np.exp(a) * b
    return c


def four(n):
    a, b = np.zeros((2, n))
    c = np.exp(a) * b
    a += 1
    return c, a


def main():
    print(one(4), two(4), three(4), four(4))

main()
