import sys

import numpy as np

class Filter:
    kernel = np.array([0.25, 0.5, 0.25])

    def __init__(self, data, gain=2.0):
        self.data = data
        self.gain = gain
        self.history = []

    def apply(self):
        out = np.convolve(self.data, self.kernel, mode="same") * self.gain
        self.history.append(out)
        self.data = out
        return out

    def add(self, x):
        x += np.sin(self.data)
        self.last = x
        return x

    @staticmethod
    def norm(x):
        return np.sqrt(np.sum(x**2))

    @classmethod
    def make(cls, n):
        return cls(np.linspace(0.0, 1.0, n))

    def __call__(self, x):
        return np.cos(x) * self.gain

    def __len__(self):
        return int(np.sum(np.abs(self.data) > 0.1))


f = Filter.make(6)
a = f.apply()
a[0] = 5.0
b = f.apply()
x = np.ones(6)
c = f.add(x)
c[1] = 3.0
print(len(f), f.last is x, c is x)
np.savez(sys.argv[1], a=a, b=b, x=x, n=Filter.norm(x), h=np.array(f.history), q=f(x))
