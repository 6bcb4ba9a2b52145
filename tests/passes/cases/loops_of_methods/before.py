"""Loops that read numbers of an instance, and a script whose loops stand at the module's top."""

import numpy as np


class Filter:
    """A first-order difference with a gain."""

    def __init__(self, gain=1.0, offset=0.0, lag=2):
        self.gain, self.offset = gain, offset
        self.lag = lag

    def apply(self, x: np.ndarray):
        out = np.zeros(len(x))
        for i in range(self.lag, len(x)):
            out[i] = self.gain * (x[i] - x[i - self.lag]) + self.offset
        return out

    def adapted(self, x: np.ndarray):
        for i in range(len(x)):
            self.gain *= 0.5
            x[i] *= self.gain
        return x


x = np.linspace(0.0, 1.0, 50)
z = np.exp(1j * x)
for i in range(1, 49):
    x[i] = abs(z[i].conjugate() - z[i - 1])
print(x.sum())
total = 0.0
for i in range(50):
    total += x[i] * 2
print(total, i)
