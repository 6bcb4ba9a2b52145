import heapq
import math
import sys
from collections import Counter

import numpy as np


class Cell:
    def __init__(self, n):
        self.x = np.linspace(0.0, 1.0, n)
        self.n = n
        self.inner = []

    def __repr__(self):
        return f"Cell({self.n}, {float(self.x.max()):.6f})"

    def grow(self, h):
        for _ in range(5):
            self.x *= np.exp(-h * np.cos(self.x))
        return self

    def split(self, text):
        self.inner.append(Cell(self.n // 2))
        self.inner.append(Cell(self.n // 3))
        self.inner.append(Cell(self.n // 5))
        del self.inner[2:]
        waiting = [self.inner[0]]
        waiting.extend(one.grow(0.1) for one in self.inner)
        print(waiting, {"cells": [self.inner], "n": (self.n, self)})
        print(f"{self.inner} of {self.n}", "{} {}".format(self.inner, 1), "%s" % (waiting,))
        print(Counter(one.n + self.n for one in waiting), set(one.n for one in waiting))
        print(math.fsum(float(one.x.sum()) for one in waiting))
        print(heapq.nlargest(2, (one.n - self.n for one in waiting)))
        return waiting, eval(text, {"pi": math.pi, "n": self.n})


def walk(cell):
    stack, total = [cell], 0.0
    while stack:
        one = stack.pop()
        total += float(np.sqrt(one.x + 1).sum())
        stack.extend(inner for inner in one.inner)
    return total


cell = Cell(60)
parts, number = cell.grow(0.1).split("2 * pi * n")
for part in parts:
    part.grow(0.05)
print(number, parts, walk(cell))
np.savez(sys.argv[1], x=cell.x, first=parts[0].x, last=parts[-1].x)
