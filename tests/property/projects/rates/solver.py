import numpy as np


class Solver:
    def __init__(self, step, rhs, hook=None):
        self.step, self.rhs, self.hook = step, rhs, hook

    def run(self, y, h, n):
        t = 0.0
        for k in range(n):
            y = self.step(self.rhs, t, y, h)
            t += h
            if self.hook is not None:
                self.hook(k, y)
        return y


