import numpy as np

FIELD = np.ones(20_000)
RATE = np.linspace(0.1, 0.2, 20_000)


def turn(x):
    return np.sin(FIELD) * x + np.cos(FIELD)


def reset():
    global FIELD
    FIELD = np.linspace(0.0, 1.0, 20_000) * 2 + np.ones(20_000)


def relaxed(u):
    return u + RATE * np.sin(u) * np.cos(u)
