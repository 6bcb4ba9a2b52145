import numpy as np


class Model:
    def __init__(self, n):
        self.u = np.zeros(n)

    def step(self, dt):
        self.u = self.u + dt * np.sin(self.u)
