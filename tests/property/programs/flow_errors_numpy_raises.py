import sys

import numpy as np

def safe_inv(m):
    try:
        return np.linalg.inv(m)
    except np.linalg.LinAlgError:
        return np.full_like(m, np.nan)


def safe_max(a):
    try:
        return np.max(a)
    except ValueError:
        return -1.0


def safe_item(a, k):
    try:
        return a[k] * 2.0
    except IndexError:
        return 0.0


def safe_shape(a, b):
    try:
        return np.sin(a) + b
    except ValueError as error:
        print(error)
        return np.sin(a)


np.savez(
    sys.argv[1],
    a=safe_inv(np.zeros((2, 2))),
    b=safe_inv(np.eye(2) * 2),
    c=safe_max(np.zeros(0)),
    d=safe_max(np.ones(2)),
    e=safe_item(np.ones(3), 5),
    f=safe_item(np.ones(3), np.array([0, 7])),
    g=safe_shape(np.ones(3), np.ones(4)),
)
