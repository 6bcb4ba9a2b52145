"""Loops that stay in Python, each for a reason of its own."""

import numpy as np


def carried(x: np.ndarray, a: float):
    y = np.zeros_like(x)
    for i in range(1, len(x)):
        y[i] = a * y[i - 1] + x[i] * x[i]
    return y


def scattered(x: np.ndarray, order: np.ndarray):
    y = np.zeros_like(x)
    for i in range(len(x)):
        y[order[i]] = x[i]
    return y


def unknown_call(x: np.ndarray, model):
    y = np.zeros_like(x)
    for i in range(len(x)):
        y[i] = model(x[i])
    return y


def leaves_early(x: np.ndarray, level: float):
    for i in range(len(x)):
        x[i] -= level
        if x[i] > level:
            return i
    return -1


def prints(x: np.ndarray):
    for i in range(len(x)):
        print(x[i])


def shares(a: np.ndarray):
    head = a[1:]
    tail = a[:-1]
    for i in range(len(head)):
        head[i] = head[i] + tail[i]
