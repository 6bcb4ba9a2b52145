import sys
import numpy as np

class Model:
    def __init__(self, n):
        self.n = n
        self.x = np.linspace(0, 1, n)
        self.y = np.sin(self.x) * 2
        self.names = ["a", "b"]
    def __str__(self):
        return f"Model(n={self.n}, max={np.max(self.y):.3f})"
    def __len__(self):
        return self.n
    def step(self, h):
        self.y += h * np.cos(self.x * self.y)
        return self

class Plain:
    def __init__(self, n):
        self.a = np.ones(n)
    def go(self):
        self.a = np.sqrt(self.a + 1) * np.exp(-self.a)

m = Model(50)
for i in range(5):
    m.step(0.1).step(0.05)
print(m, str(m), f"{m}", f"{m!s:>30}", len(m))
p = Plain(10)
p.go()
print(repr(p)[:20])
print("%s" % m, "{}".format(m))
np.savez(sys.argv[1], y=m.y, a=p.a)
