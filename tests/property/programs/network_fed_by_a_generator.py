"""Network as classes with an optimizer, batches by a generator."""
import numpy as np

class Dense:
    def __init__(self, n_in, n_out, rng):
        self.params = {"W": rng.normal(0, np.sqrt(2 / n_in), (n_in, n_out)), "b": np.zeros(n_out)}
        self.grads = {}
    def forward(self, x):
        self.x = x
        return x @ self.params["W"] + self.params["b"]
    def backward(self, g):
        self.grads["W"] = self.x.T @ g
        self.grads["b"] = g.sum(axis=0)
        return g @ self.params["W"].T

class ReLU:
    params = {}
    grads = {}
    def forward(self, x):
        self.mask = x > 0
        return x * self.mask
    def backward(self, g):
        return g * self.mask

class Adam:
    def __init__(self, lr=1e-3, b1=0.9, b2=0.999):
        self.lr, self.b1, self.b2, self.t = lr, b1, b2, 0
        self.m, self.v = {}, {}
    def step(self, layers):
        self.t += 1
        for i, layer in enumerate(layers):
            for name, g in layer.grads.items():
                key = (i, name)
                if key not in self.m:
                    self.m[key] = np.zeros_like(g)
                    self.v[key] = np.zeros_like(g)
                self.m[key] = self.b1 * self.m[key] + (1 - self.b1) * g
                self.v[key] = self.b2 * self.v[key] + (1 - self.b2) * g ** 2
                mh = self.m[key] / (1 - self.b1 ** self.t)
                vh = self.v[key] / (1 - self.b2 ** self.t)
                layer.params[name] -= self.lr * mh / (np.sqrt(vh) + 1e-8)

def batches(x, y, size, rng):
    order = rng.permutation(len(x))
    for s in range(0, len(x), size):
        rows = order[s:s + size]
        yield x[rows], y[rows]

def loss_and_grad(logits, y):
    z = logits - logits.max(axis=1, keepdims=True)
    p = np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
    n = len(y)
    loss = -np.log(p[np.arange(n), y]).mean()
    g = p.copy()
    g[np.arange(n), y] -= 1
    return loss, g / n

def main():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(600, 50)); y = (x[:, 0] * x[:, 1] > 0).astype(int)
    net = [Dense(50, 128, rng), ReLU(), Dense(128, 64, rng), ReLU(), Dense(64, 2, rng)]
    opt = Adam(1e-2)
    for epoch in range(3):
        total = 0.0
        for xb, yb in batches(x, y, 100, rng):
            h = xb
            for layer in net:
                h = layer.forward(h)
            loss, g = loss_and_grad(h, yb)
            for layer in reversed(net):
                g = layer.backward(g)
            opt.step(net)
            total += loss * len(xb)
        print(epoch, f"{total / len(x):.5f}")
main()
