import sys

import numpy as np


def power(x: np.ndarray, n):
    for _ in range(n):
        x = np.sort(x) + np.sin(x)
        x /= np.sqrt(np.sum(x**2))
    return x


def perhaps(x: np.ndarray, n):
    for _ in range(n):
        x = np.sort(x) * 2.0
    x[0] = 1.0
    return x


def one_before(x: np.ndarray, n):
    last = np.cos(x)
    for _ in range(n):
        last[0] = 7.0
        last = x
        x = np.sort(x) * 2.0
    return last


def two_before(x: np.ndarray, n):
    last = earlier = np.cos(x)
    for _ in range(n):
        earlier += 1.0
        earlier = last
        last = x
        x = np.sort(x) * 2.0
    return earlier


def part(x: np.ndarray):
    rest = x[1:]
    x = np.sort(x) * 2.0
    x[0] = 1.0
    rest[0] = 9.0
    return x


def either(x: np.ndarray, sorted_first):
    if sorted_first:
        x = np.sort(x) + np.cos(x)
    x += np.sin(x)
    return x


def in_a_list(x: np.ndarray):
    parts = [x]
    x = np.sort(x) * 2.0
    x -= np.cos(x)
    for one in parts:
        one *= 2.0
    return x


def interrupted(x: np.ndarray, n):
    try:
        x = np.sort(x) * 2.0
        x = x / n
    finally:
        x[0] = 3.0
    return x


out = {}
for work in (power, perhaps, one_before, two_before, either, interrupted):
    for n in (0, 1, 2, 3):
        given = np.array([3.0, 1.0, 2.5, -1.0])
        if n or work is not interrupted:
            out[f"{work.__name__}{n}"] = work(given, n)
        out[f"{work.__name__}{n}_given"] = given
for work in (part, in_a_list):
    given = np.array([3.0, 1.0, 2.5, -1.0])
    out[work.__name__] = work(given)
    out[f"{work.__name__}_given"] = given
np.savez(sys.argv[1], **out)
