"""Objects whose methods a loop calls are others from one iteration, or one call, to the next."""

import sys

import numpy as np


class Layer:
    def __init__(self, weight, table):
        self.weight = weight
        self.table = np.asarray(table, dtype=float)

    def at(self, x):
        k = int(x * (len(self.table) - 1))
        return self.weight * self.table[k]


class Stack:
    def __init__(self, layers):
        self.layers = layers
        self.top = layers[0]

    def total(self, xs):
        out = np.zeros(len(xs))
        for layer in self.layers:
            for i in range(len(xs)):
                out[i] += layer.at(xs[i])
        return out

    def alternating(self, xs):
        out = np.zeros(len(xs))
        for i in range(len(xs)):
            layer = self.layers[i % len(self.layers)]
            out[i] = layer.at(xs[i])
        return out

    def of_top(self, xs):
        out = np.zeros(len(xs))
        for i in range(len(xs)):
            out[i] = self.top.at(xs[i]) - self.top.weight
        return out

    def turned(self, xs):
        out = np.zeros(len(xs))
        for i in range(len(xs)):
            out[i] = self.top.at(xs[i])
            self.top = self.layers[(i + 1) % len(self.layers)]
        return out


def main():
    layers = [Layer(1.0, np.sqrt(np.arange(8.0))), Layer(-0.5, np.arange(5.0) ** 2)]
    stack = Stack(layers)
    xs = np.linspace(0.0, 0.99, 40)
    first = stack.of_top(xs)
    stack.top = layers[1]
    second = stack.of_top(xs)
    result = {
        "total": stack.total(xs),
        "alternating": stack.alternating(xs),
        "first": first,
        "second": second,
        "turned": stack.turned(xs),
    }
    print({name: round(float(np.sum(v)), 9) for name, v in result.items()})
    np.savez(sys.argv[1], **result)


if __name__ == "__main__":
    main()
