import numpy as np

def g(x):
    a = x * 2 + np.cos(x)
    first = x[0]
    yield a
    b = np.sin(x) * a + 3 - first
    c = b * b + x
    yield c
    x[0] = 100.0
    d = np.exp(-c) + x * first
    yield d
    s = 0.0
    for i in range(len(x)):
        s += x[i] * d[i]
    print(round(float(s), 6))
    for i in range(1, len(x)):
        x[i] = x[i] * 0.5 + s
    yield x

class P:

    def __init__(self, x):
        self.x = x; self.scale = 2.0
    def grow(self):
        y = self.x
        yield y
        z = self.x * self.scale + y
        yield z
        self.x = z - 1
        yield self.x

def main():
    x = np.linspace(0.5, 1.5, 7)
    for k, v in enumerate(g(x)):
        v += 1
        x *= 2
        print(k, np.round(v, 6), np.round(x, 6))
    p = P(np.arange(4.0))
    for k, v in enumerate(p.grow()):
        p.x = p.x * 3
        p.scale = 5.0
        v[1] += 10
        print(k, v, p.x)

main()
