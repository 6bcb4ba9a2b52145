"""Rows that loops store as lists and tuples."""

import numpy as np

def tuples(height, width):
    image = np.zeros((height, width, 3))
    for j in range(height):
        for i in range(width):
            image[j, i] = (i / width, j / height, 0.5)
    return image

def lists(height, width):
    image = np.zeros((height, width, 3))
    for j in range(height):
        for i in range(width):
            image[j, i] = [i / width, j / height, 0.5]
    return image

def rows(n):
    nodes = np.zeros((n, 2))
    for i in range(n):
        nodes[i] = [i / n, i * 2.0]
    return nodes

def mesh(n):
    nodes = np.zeros((n * n, 2))
    for i in range(n):
        for j in range(n):
            nodes[i * n + j] = [i / n, j / n]
    return nodes

def arrays(n):
    nodes = np.zeros((n, 2))
    for i in range(n):
        nodes[i] = np.array([i / n, i * 2.0])
    return nodes

def slices(n):
    nodes = np.zeros((n, 2))
    for i in range(n):
        nodes[i, :] = i / n, i * 2.0
    return nodes
print(tuples(4, 3), lists(4, 3), rows(5), mesh(3), arrays(5), slices(5))

def given(x: np.ndarray, pos: np.ndarray):
    """Ranks and lengths are the caller's."""
    for i in range(len(x)):
        pos[i] = [x[i], 2 * x[i]]
    return pos

def swapped(pos: np.ndarray):
    for i in range(len(pos)):
        pos[i] = [pos[i, 1], pos[i, 0]]
    return pos

def listed(n):
    made = [0] * n
    for i in range(n):
        made[i] = [i, 2 * i]
    return made

def keyed(n):
    made = {}
    for i in range(n):
        made[i] = [i, 2 * i]
    return made

print(given(np.arange(4.0), np.zeros((4, 2), dtype=int)), given(np.arange(3.0), np.zeros((3, 2))))
print(swapped(np.arange(6.0).reshape(3, 2)), listed(3), keyed(2))
try:
    print(given(np.arange(3.0), np.zeros((3, 3))))
except ValueError as e:
    print(e)
objects = np.empty(3, dtype=object)
print(given(np.arange(3), objects))
