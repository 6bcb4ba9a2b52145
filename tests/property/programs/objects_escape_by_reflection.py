# escapes: pickle / vars / print / deepcopy; must stay numpy
import sys, copy, pickle
import numpy as np


class A:
    def __init__(self, n):
        self.u = np.ones(n)

    def step(self):
        self.u = np.cos(self.u) + np.sin(self.u)


class B:
    def __init__(self, n):
        self.v = np.ones(n)

    def step(self):
        self.v = np.cos(self.v) + np.sin(self.v)


class C:
    def __init__(self, n):
        self.q = np.ones(n)

    def step(self):
        self.q = np.cos(self.q) + np.sin(self.q)


def main(path):
    a = A(10)
    a.step()
    a2 = copy.deepcopy(a)
    a2.step()
    b = B(5)
    b.step()
    d = vars(b)
    c = C(4)
    items = [c, 3]
    c.step()
    items[0].step()
    p = pickle.loads(pickle.dumps(a))
    np.savez(path, u=a.u, u2=a2.u, v=d["v"], q=c.q, p=p.u, t=str(type(c.q)))


if __name__ == "__main__":
    main(sys.argv[1])
