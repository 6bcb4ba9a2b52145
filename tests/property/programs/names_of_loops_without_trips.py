import sys

import numpy as np


def after_another(a: np.ndarray, n: int):
    for i in reversed(range(n)):
        last = i
    u = a.copy()
    for i in range(n):
        u[i] = a[i] + last
    return u * 2


def after_a_search(a: np.ndarray, limit: float):
    for k in range(len(a)):
        if a[k] > limit:
            first = k
    u = np.zeros(len(a))
    for i in range(len(a)):
        u[i] = a[i] * first
    return u


def under_a_condition(a: np.ndarray, n: int, scaled: bool):
    if scaled:
        gain = 2.5
    u = a * 2
    if scaled:
        for i in range(n):
            u[i] = u[i] * gain
    return u


def after_one_that_runs(a: np.ndarray, n: int):
    for step in range(3):
        shift = step * 0.5
    u = a * 2
    for i in range(n):
        u[i] = u[i] + shift
    return u


x = np.linspace(0.0, 1.0, 5)
found = [
    after_another(x, 0), after_another(x, 3), after_a_search(x, 0.3), after_a_search(x[:0], 0.3),
    under_a_condition(x, 4, False), under_a_condition(x, 4, True), after_one_that_runs(x, 5),
]  # fmt: skip
np.savez(sys.argv[1], *found)
