import numpy as np


def decay(t, y):
    return -0.5 * y


def swing(t, y):
    return np.stack([y[1], -np.sin(y[0])])


def euler(f, t, y, h):
    return y + h * f(t, y)


def heun(f, t, y, h):
    k = f(t, y)
    return y + 0.5 * h * (k + f(t + h, y + h * k))


