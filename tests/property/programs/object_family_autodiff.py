"""Nodes of a graph, each kind with its own backward step."""

import sys
import numpy as np

class Node:
    def __init__(self, value):
        self.value = value
        self.grad = np.zeros_like(value)
        self.parents = []
    def backward(self):
        pass
    def __len__(self):
        return self.value.size

class Mul(Node):
    def __init__(self, a, b):
        super().__init__(a.value * b.value)
        self.a, self.b = a, b
    def backward(self):
        self.a.grad += self.b.value * self.grad
        self.b.grad += self.a.value * self.grad

class Sin(Node):
    def __init__(self, a):
        super().__init__(np.sin(a.value))
        self.a = a
    def backward(self):
        self.a.grad += np.cos(self.a.value) * self.grad

class Total(Node):
    def __init__(self, a):
        super().__init__(np.array([np.sum(a.value)]))
        self.a = a
    def backward(self):
        self.a.grad += self.grad[0] * np.ones_like(self.a.value)

def main(path):
    x = Node(np.linspace(0, 3, 2500))
    w = Node(np.cos(np.arange(2500.0)))
    m = Mul(x, w)
    s = Sin(m)
    t = Total(s)
    t.grad = np.ones(1)
    for n in (t, s, m, x):
        n.backward()
    print(len(t), len(x), "%.8f" % t.value[0])
    np.savez(path, gx=x.grad, gw=w.grad)

if __name__ == "__main__":
    main(sys.argv[1])
