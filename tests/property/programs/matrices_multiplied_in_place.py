import sys

import numpy as np


class Walker:
    def __init__(self, n):
        self.state = np.linspace(0.0, 1.0, n * n).reshape(n, n)
        self.parts = {"turn": np.eye(n) * 0.5}

    def step(self, turn):
        self.state @= turn
        self.parts["turn"] @= turn


def mixed(matrix, by):
    matrix += by
    matrix @= np.eye(len(matrix)) * 2.0
    matrix[1:] @= np.full((len(matrix), len(matrix)), 0.5)


def power(matrix, n):
    total = matrix.copy()
    same = total
    for _ in range(n):
        total @= np.cos(matrix)
    return total, same


start = np.ones((3, 3))
mixed(start, np.arange(3.0))
walker = Walker(3)
kept = walker.state
walker.step(np.cos(start))
total, same = power(start / 10.0, 3)
print(total is same, kept is walker.state)
np.savez(sys.argv[1], start, kept, walker.parts["turn"], total, same)
