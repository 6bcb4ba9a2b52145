"""Evaluations are counted, in a minimiser of its own."""
import numpy as np


def descend(gradient, x, rate, steps):
    for _ in range(steps):
        x = x - rate * gradient(x)
    return x


def solve(n):
    a = np.diag(np.linspace(1.0, 3.0, n)) + 0.1
    b = np.ones(n)
    calls = 0
    spent = 0.0

    def gradient(x):
        nonlocal calls, spent
        calls += 1
        spent += 0.25
        return a @ x - b

    def energy(x):
        nonlocal calls
        calls += 2
        return 0.5 * x @ (a @ x) - b @ x

    x = descend(gradient, np.zeros(n), 0.1, 40)
    half = calls
    value = energy(x)
    return x, value, calls, half, spent


def main():
    x, value, calls, half, spent = solve(50)
    print(f"{x.sum():.8f} {value:.8f}", calls, half, spent)


main()
