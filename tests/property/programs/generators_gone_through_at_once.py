import heapq
import math
import statistics
import sys
from collections import Counter, OrderedDict, deque

import numpy as np


class Model:
    def __init__(self, n):
        self.x = np.linspace(0.0, 3.0, n)
        self.k = np.arange(n) % 5
        self.kept = [self.x[1] + 1]

    def step(self):
        for _ in range(30):
            self.x *= np.exp(-0.01 * np.sin(self.x))
            self.k += (np.cos(self.x) * 1.5).astype(int)

    def counts(self):
        found = Counter(self.k[i] for i in range(5)), Counter(int(self.k[i]) for i in range(5))
        return found, Counter(np.argmax(self.x[i:]) for i in range(3))

    def sets(self):
        found = set(self.k[i] for i in range(8)), frozenset(np.sum(self.x[i:]) for i in range(3))
        return sorted(found[0]), sorted(found[1]), set(self.x[i] > 0.1 for i in range(3))

    def numbers(self):
        total = math.fsum(self.x[i] * self.x[i] for i in range(4))
        middle = statistics.median(self.x[i] * 2 for i in range(5))
        return total, middle, heapq.nlargest(2, (self.x[i] for i in range(7)))

    def rows(self):
        latest = deque((self.x[i] for i in range(6)), maxlen=2)
        return latest, OrderedDict((i, self.x[i]) for i in range(3))

    def keep(self):
        self.kept.extend(self.x[i] for i in range(3))
        self.kept.extend(np.sum(self.x[i:]) for i in range(3))
        self.kept.extend(self.x[i : i + 2] for i in range(3))


model = Model(40)
for _ in range(20):
    model.step()
first = model.counts(), model.sets(), model.numbers(), model.rows()
model.keep()
model.step()
print(first, model.kept, model.x.sum(), model.k.sum())
model.keep()
print(model.counts(), model.sets(), model.numbers(), model.rows(), model.kept)
np.savez(sys.argv[1], x=model.x, k=model.k)
