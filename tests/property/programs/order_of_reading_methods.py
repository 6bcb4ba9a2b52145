import numpy as np


class Sim:
    def __init__(self, n):
        self.x = np.sin(np.arange(float(n))) + 2.0
        self.v = np.cos(self.x)
        self.log = []

    def step(self):
        self.x += 0.1 * np.sqrt(self.x) * np.exp(-self.v)
        return self.x.sum()

    def state(self):
        return self.x, self.step()

    def pair(self):
        return {"x": self.x, "s": self.step(), "y": np.exp(self.x)}

    def mixed(self):
        a = self.x[0] + self.step()
        b = self.x * self.step()
        self.log.append((self.x, self.step(), self.x.copy()))
        return a, b, np.stack([self.x, self.x * self.step()])

    def __call__(self, k=1.0):
        self.v *= k
        return self


s = Sim(5)
x, total = s.state()
print(x, total)
print(s.x, s.step(), s.x[1])
print(s.pair(), s.mixed(), len(s.log), s.v[0], s(2.0).v)
print(s.x[0] + s.step(), s.x @ s(0.5).v, (s.v * s(3.0).v).sum())
