import functools
from functools import partial
import numpy as np

def scaled(a, b, k=1.0, *, shift=0.0):
    return a * k + b + shift

def axpy(y, x, alpha):
    y += alpha * x
    return y

def apply_all(fs, x):
    for f in fs:
        x = f(x)
    return x

class Op:
    def __init__(self, w):
        self.w = w
        self.fn = partial(scaled, k=3.0)
    def run(self, x):
        return self.fn(x, self.w)
    def rate(self, x, c):
        return x * c + self.w

def table(w):
    return {"a": partial(scaled, w), "b": partial(scaled, b=w, k=0.5), "c": lambda x: x + w}

def twice(f, x):
    return f(f(x))

def main():
    w = np.linspace(0.0, 1.0, 6)
    x = np.arange(6.0)
    t = table(w)
    for name in ("a", "b", "c"):
        print(name, t[name](x).round(6))
    print(t["a"](x, k=2.0, shift=1.0).round(6))
    op = Op(w)
    print(op.run(x).round(6))
    acc = np.zeros(6)
    add = partial(axpy, acc)
    for i in range(3):
        add(x, alpha=0.5)
    w += 1.0
    print(acc, t["a"](x).round(6))
    fs = [partial(scaled, b=w), functools.partial(scaled, b=x, k=2.0)]
    print(apply_all(fs, x).round(6))
    print(partial(scaled, x, w)(0.5).round(6))
    q = partial(np.roll, shift=1)

main()
