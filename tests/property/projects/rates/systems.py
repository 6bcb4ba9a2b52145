import numpy as np


class Forced:
    def __init__(self, force):
        self.force = force
        self.calls = 0

    def rate(self, t, y):
        self.calls += 1
        return self.force * np.cos(t) - y


class Forced2(Forced):
    def rate(self, t, y):
        return np.sin(y) * self.force


