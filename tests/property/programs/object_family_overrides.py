"""Overridden methods that keep, change or lose their arguments."""

import sys
import numpy as np

class Filter:
    window = np.hanning(7)
    def __init__(self, gain=1.0):
        self.gain = gain
        self.state = None
    def run(self, x, *, copy=True):
        y = self.kernel(x.copy() if copy else x, gain=self.gain)
        self.state = y
        return y
    def kernel(self, x, gain):
        return x * gain

class Smooth(Filter):
    def kernel(self, x, gain):
        return np.convolve(x, self.window / self.window.sum(), mode="same") * gain

class InPlace(Filter):
    def kernel(self, x, gain):
        x += gain
        return x

class Keep(Filter):
    def __init__(self):
        super().__init__(2.0)
        self.kept = []
    def kernel(self, x, gain=1.0):
        self.kept.append(x)
        return np.sqrt(np.abs(x)) * gain

class Nothing(Filter):
    def kernel(self, x, gain):
        x[0] = gain

def main(path):
    x = np.sin(np.arange(3000.0))
    out = {}
    k = Keep()
    for name, f in (("f", Filter(3.0)), ("s", Smooth()), ("i", InPlace(0.5)), ("k", k)):
        out[name] = f.run(x)
    n = Nothing(9.0)
    print(n.run(x, copy=False) is None, x[0], n.state)
    k.run(x, copy=False)
    x[1] = 5.0
    np.savez(path, kept=k.kept[1], first=k.kept[0], st=k.state, x=x, **out)

if __name__ == "__main__":
    main(sys.argv[1])
