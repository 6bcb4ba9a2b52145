"""A multilayer perceptron: layers of several classes in a list that an instance keeps and adds to."""
import numpy as np


class Dense:
    def __init__(self, n_in, n_out, rng):
        self.W = rng.normal(0, np.sqrt(2.0 / n_in), size=(n_in, n_out))
        self.b = np.zeros(n_out)

    def forward(self, x):
        self.x = x
        return x @ self.W + self.b

    def backward(self, g):
        self.gW = self.x.T @ g
        self.gb = g.sum(axis=0)
        return g @ self.W.T

    def update(self, lr):
        self.W -= lr * self.gW
        self.b -= lr * self.gb


class BatchNorm:
    def __init__(self, n, momentum=0.9, eps=1e-5):
        self.W = np.ones(n)
        self.b = np.zeros(n)
        self.mean = np.zeros(n)
        self.var = np.ones(n)
        self.momentum = momentum
        self.eps = eps
        self.training = True

    def forward(self, x):
        if self.training:
            mu, var = x.mean(axis=0), x.var(axis=0)
            self.mean = self.momentum * self.mean + (1 - self.momentum) * mu
            self.var = self.momentum * self.var + (1 - self.momentum) * var
        else:
            mu, var = self.mean, self.var
        self.inv = 1.0 / np.sqrt(var + self.eps)
        self.xhat = (x - mu) * self.inv
        return self.W * self.xhat + self.b

    def backward(self, g):
        n = len(g)
        self.gW = (g * self.xhat).sum(axis=0)
        self.gb = g.sum(axis=0)
        gx = g * self.W
        return self._scaled(n, gx)

    def update(self, lr):
        self.W -= lr * self.gW
        self.b -= lr * self.gb

    def _scaled(self, n, gx):
        return self.inv / n * (n * gx - gx.sum(axis=0) - self.xhat * (gx * self.xhat).sum(axis=0))


class ReLU:
    def forward(self, x):
        self.mask = x > 0
        return np.where(self.mask, x, 0.0)

    def backward(self, g):
        return g * self.mask

    def update(self, lr):
        pass


class Adam:
    def __init__(self, lr=1e-2, beta1=0.9, beta2=0.999, eps=1e-8):
        self.lr, self.beta1, self.beta2, self.eps = lr, beta1, beta2, eps
        self.m, self.v, self.t = {}, {}, 0

    def step(self, layers):
        self.t += 1
        for i, layer in enumerate(layers):
            layer.update(self.lr)


class Network:
    def __init__(self, sizes, rng):
        self.layers = []
        for a, b in zip(sizes[:-2], sizes[1:-1]):
            self.layers += [Dense(a, b, rng), BatchNorm(b), ReLU()]
        self.layers.append(Dense(sizes[-2], sizes[-1], rng))

    def forward(self, x):
        for layer in self.layers:
            x = layer.forward(x)
        return x

    def backward(self, g):
        for layer in reversed(self.layers):
            g = layer.backward(g)
        return g

    def train(self, flag):
        for layer in self.layers:
            if isinstance(layer, BatchNorm):
                layer.training = flag


def softmax_cross_entropy(logits, labels):
    shifted = logits - logits.max(axis=1, keepdims=True)
    logp = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    n = len(labels)
    loss = -logp[np.arange(n), labels].mean()
    grad = np.exp(logp)
    grad[np.arange(n), labels] -= 1
    return loss, grad / n


def spirals(n, k, rng):
    X = np.zeros((n * k, 2))
    y = np.zeros(n * k, dtype=int)
    for j in range(k):
        ix = slice(n * j, n * (j + 1))
        r = np.linspace(0.0, 1, n)
        t = np.linspace(j * 4, (j + 1) * 4, n) + rng.normal(size=n) * 0.2
        X[ix] = np.c_[r * np.sin(t), r * np.cos(t)]
        y[ix] = j
    return X, y


def main():
    rng = np.random.default_rng(0)
    X, y = spirals(100, 3, rng)
    net = Network([2, 32, 32, 3], rng)
    opt = Adam()
    history = []
    for epoch in range(10):
        order = rng.permutation(len(X))
        net.train(True)
        total = 0.0
        for start in range(0, len(X), 50):
            batch = order[start:start + 50]
            logits = net.forward(X[batch])
            loss, grad = softmax_cross_entropy(logits, y[batch])
            net.backward(grad)
            opt.step(net.layers)
            total += loss * len(batch)
        net.train(False)
        acc = (net.forward(X).argmax(axis=1) == y).mean()
        history.append((total / len(X), acc))
    for e, (l, a) in enumerate(history):
        print(f"{e} {l:.6f} {a:.4f}")


if __name__ == "__main__":
    main()
