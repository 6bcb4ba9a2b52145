"""Instances of classes that have nothing in common but their methods, in one list and one name."""

import numpy as np


class Dense:
    def __init__(self, n, m):
        self.w = np.linspace(-1.0, 1.0, n * m).reshape(n, m)
        self.seen = 0

    def forward(self, x):
        self.x = x
        self.seen += 1
        return x @ self.w

    def backward(self, g):
        self.w -= 0.1 * self.x.T @ g
        return g @ self.w.T


class Relu:
    def forward(self, x):
        self.mask = x > 0.0
        return np.where(self.mask, x, 0.0)

    def backward(self, g):
        return g * self.mask


class Scale:
    def __init__(self, by):
        self.by = by

    def forward(self, x):
        return x * self.by

    def backward(self, g):
        return g * self.by


def main():
    layers = [Dense(6, 8), Relu(), Scale(0.5)]
    layers.append(Dense(8, 2))
    x = np.sin(np.arange(60.0)).reshape(10, 6)
    for _ in range(5):
        out = x
        for layer in layers:
            out = layer.forward(out)
        grad = out - 1.0
        for layer in reversed(layers):
            grad = layer.backward(grad)
        print("%.8f" % np.mean((out - 1.0) ** 2))
    first, last = layers[0], layers[-1]
    for one in (first, last):
        print(one.w.sum().round(8), one.seen)


if __name__ == "__main__":
    main()
