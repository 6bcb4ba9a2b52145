"""Optimizers that share a base: fields of their own, `super()`, class constants."""

import sys
from abc import ABC, abstractmethod
import numpy as np

class Optimizer(ABC):
    """Base of all."""
    name = "base"
    def __init__(self, lr):
        self.lr = lr
        self.steps = 0
    @abstractmethod
    def update(self, w, g):
        ...
    def step(self, w, g):
        self.steps += 1
        return self.update(w, g)
    def __repr__(self):
        return f"{self.name}({self.lr}, {self.steps})"

class SGD(Optimizer):
    name = "sgd"
    def update(self, w, g):
        return w - self.lr * g

class Momentum(Optimizer):
    name = "momentum"
    def __init__(self, lr, n, beta=0.9):
        super().__init__(lr)
        self.v = np.zeros(n)
        self.beta = beta
    def update(self, w, g):
        self.v = self.beta * self.v + g
        return w - self.lr * self.v

class Nesterov(Momentum):
    name = "nesterov"
    def update(self, w, g):
        old = self.v
        w = super().update(w, g)
        return w - self.beta * self.lr * (self.v - old)

class Adam(Momentum):
    name = "adam"
    def __init__(self, lr, n):
        super().__init__(lr, n, 0.9)
        self.m = np.zeros(n)
    def update(self, w, g):
        self.m = 0.999 * self.m + 0.001 * g**2
        self.v = self.beta * self.v + (1 - self.beta) * g
        return w - self.lr * self.v / (np.sqrt(self.m) + 1e-8)

def loss(w, x, y):
    r = x @ w - y
    return np.mean(r**2), 2 * x.T @ r / len(y)

def fit(opt, x, y, steps):
    w = np.zeros(x.shape[1])
    hist = []
    for _ in range(steps):
        l, g = loss(w, x, y)
        w = opt.step(w, g)
        hist.append(float(l))
    return w, hist

def main(path):
    i = np.arange(400.0)
    x = np.stack([np.sin(i * k) for k in range(1, 6)], axis=1)
    y = x @ np.array([1.0, -2.0, 0.5, 3.0, -1.0])
    out = {}
    for opt in [SGD(0.1), Momentum(0.05, 5), Nesterov(0.05, 5), Adam(0.1, 5)]:
        w, h = fit(opt, x, y, 30)
        print(opt, "%.8f" % h[-1])
        out[opt.name] = w
    np.savez(path, **out)

if __name__ == "__main__":
    main(sys.argv[1])
