import csv, io, sys
import numpy as np

class Loader:
    def __init__(self, x, y, size, seed=0):
        self.x, self.y, self.size = x, y, size
        self.rng = np.random.default_rng(seed)
    def __len__(self):
        return -(-len(self.x) // self.size)
    def __iter__(self):
        order = self.rng.permutation(len(self.x))
        for s in range(0, len(order), self.size):
            i = order[s:s + self.size]
            yield self.x[i], self.y[i]

class Linear:
    def __init__(self, n, m, rng):
        self.w = rng.standard_normal((n, m)) / np.sqrt(n)
        self.b = np.zeros(m)
    def __call__(self, x):
        self.inp = x
        return x @ self.w + self.b
    def back(self, g):
        self.gw = self.inp.T @ g
        self.gb = g.sum(axis=0)
        return g @ self.w.T
    def params(self):
        yield self.w, self.gw
        yield self.b, self.gb

class Relu:
    def __call__(self, x):
        self.mask = x > 0
        return x * self.mask
    def back(self, g):
        return g * self.mask
    def params(self):
        return
        yield

class Model:
    def __init__(self, rng):
        self.layers = [Linear(4, 16, rng), Relu(), Linear(16, 3, rng)]
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
    def back(self, g):
        for layer in reversed(self.layers):
            g = layer.back(g)
    def params(self):
        for layer in self.layers:
            yield from layer.params()

def softmax(z):
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)

def train(model, loader, epochs, lr):
    for epoch in range(epochs):
        total, count = 0.0, 0
        for xb, yb in loader:
            p = softmax(model(xb))
            total += -np.log(p[np.arange(len(yb)), yb] + 1e-12).sum()
            count += len(yb)
            g = p.copy()
            g[np.arange(len(yb)), yb] -= 1
            model.back(g / len(yb))
            for w, gw in model.params():
                w -= lr * gw
        yield epoch, total / count

def main():
    rng = np.random.default_rng(1)
    x = rng.standard_normal((90, 4))
    y = (x[:, 0] > 0).astype(int) + (x[:, 1] > 0)
    model = Model(rng)
    out = csv.writer(sys.stdout)
    for epoch, loss in train(model, Loader(x, y, 20), 4, 0.1):
        out.writerow([epoch, f"{loss:.6f}"])
    acc = (model(x).argmax(axis=1) == y).mean()
    print(f"accuracy {acc:.4f}")

main()
