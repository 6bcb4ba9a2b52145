import numpy as np

STENCIL = np.array([[0.0, 1.0, 0.0], [1.0, -4.0, 1.0], [0.0, 1.0, 0.0]])
TABLE = np.exp(-np.arange(30.0).reshape(3, 10))
OTHER = np.arange(12.0).reshape(3, 4)
KEPT = np.arange(6.0).reshape(2, 3)


def rows(u, steps):
    for _ in range(steps):
        for k in range(3):
            u = u - np.tanh(STENCIL[k] * u) + np.sum(TABLE[k, 1:-2]) * u
    return u


def last(u, steps):
    k = 1
    for _ in range(steps):
        u = np.tanh(u * OTHER[-1, None, :]) + OTHER[:, k + 1][:3].sum()
    return u


def changed(u, steps):
    row = KEPT[0]
    for _ in range(steps):
        u = np.tanh(u) + KEPT[0] * np.sin(u)
        row += 1.0
    return u


def once(u):
    return np.exp(u) @ STENCIL[1]


def while_counting(u):
    k = 0
    while k < 3:
        u = np.tanh(u @ STENCIL[k]) * STENCIL[k]
        k += 1
    return u



x = np.linspace(0, 1, 3)
print(rows(x, 3), last(np.ones((2, 4)), 2), changed(x, 4), once(x), while_counting(x))
print(KEPT)
