import sys
import numpy as np


class W:
    def __init__(self, n):
        self.u = np.linspace(0, 1, n)
        self.big = np.ones((n, n))
        self.log = []

    def tick(self):
        self.u += np.sin(self.u) + self.big @ self.u * 1e-3
        self.big = np.tanh(self.big @ self.big * 1e-3) + np.cos(self.big)

    def run(self, x, k):
        for _ in range(k):
            self.tick()
            self.log.append(max(x.tolist()))

    def both(self, a, b):
        a += np.exp(-a)
        return b.tolist()[0] + float(a[0])


def main(path):
    w = W(40)
    w.run(w.u, 3)
    z = np.zeros(4)
    r = w.both(z, z)
    v = w.u[3:6]
    w.run(v, 2)
    np.savez(path, u=w.u, log=np.array(w.log), big=w.big, r=r, v=v)


if __name__ == "__main__":
    main(sys.argv[1])
