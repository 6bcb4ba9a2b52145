"""Loops over the items of an array that read other items of it, which they write as well."""
import numpy as np
A4 = np.ndarray[tuple[int, int, int, int], np.dtype[np.float64]]

def one(c: A4, n: int):
    for i in range(3):
        for j in range(2, n):
            c[i, j] = np.linalg.inv(c[j, 0] + c[0, 1])
    return c

def two(c: A4, n: int):
    for i in range(len(c)):
        for j in range(2):
            c[i, j] = np.linalg.inv(c[0, j] + c[1, 1])
    return c

def three(c: A4, n: int):
    for i in range(len(c)):
        c[i, 0] = np.linalg.inv(c[1, 0] + c[2, 1])
    return c

def four(c: A4, k: int):
    for i in range(len(c)):
        c[i, 0] = np.linalg.inv(c[k, 0] + c[i, 1])
    return c

def five(c: A4, k: int):
    for i in range(len(c)):
        m = c[k]
        c[i, 0] = np.linalg.inv(m[0] + c[i, 1])
    return c



def start():
    c = np.cos(np.arange(144.0)).reshape(4, 4, 3, 3)
    return np.exp(c) + 9 * np.eye(3)


def shown(c):
    return np.round(np.sin(c).sum(axis=(2, 3)), 8).tolist()


print(shown(one(start(), 3)))
print(shown(two(start(), 3)))
print(shown(three(start(), 3)))
print(shown(four(start(), 2)))
print(shown(five(start(), 2)))
