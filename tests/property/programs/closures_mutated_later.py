import numpy as np


def factory(a):
    def apply(v):
        return a @ v

    return apply


class Holder:
    def __init__(self, f):
        self.f = f

    def run(self, v):
        return self.f(v) + 1.0


def mutated_later():
    rng = np.random.default_rng(0)
    a = rng.normal(size=(4, 4))
    f = factory(a)
    h = Holder(f)
    v = np.ones(4)
    first = f(v)
    a[0] = 5.0
    return first, f(v), h.run(v)


def main():
    a, b, c = mutated_later()
    print(np.round(a, 6), np.round(b, 6), np.round(c, 6))


main()
