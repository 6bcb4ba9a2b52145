"""Actor registry: stochastic gradient optimisers compared on logistic regression and a Rosenbrock field."""
import numpy as np

OPTIMISERS = {}


def optimiser(name):
    def wrap(cls):
        OPTIMISERS[name] = cls
        return cls
    return wrap


class Optimiser:
    def __init__(self, lr=0.01):
        self.lr = lr
        self.t = 0

    def step(self, params, grads):
        self.t += 1
        for key, g in grads.items():
            params[key] = params[key] - self.update(key, g)
        return params

    def update(self, key, g):
        raise NotImplementedError


@optimiser("sgd")
class Sgd(Optimiser):
    def update(self, key, g):
        return self.lr * g


@optimiser("momentum")
class Momentum(Optimiser):
    def __init__(self, lr=0.01, beta=0.9):
        super().__init__(lr)
        self.beta = beta
        self.v = {}

    def update(self, key, g):
        self.v[key] = self.beta * self.v.get(key, np.zeros_like(g)) + g
        return self.lr * self.v[key]


@optimiser("adam")
class Adam(Optimiser):
    def __init__(self, lr=0.01, betas=(0.9, 0.999), eps=1e-8):
        super().__init__(lr)
        self.betas = betas
        self.eps = eps
        self.m, self.s = {}, {}

    def update(self, key, g):
        b1, b2 = self.betas
        if key not in self.m:
            self.m[key] = np.zeros_like(g)
            self.s[key] = np.zeros_like(g)
        self.m[key] = b1 * self.m[key] + (1 - b1) * g
        self.s[key] = b2 * self.s[key] + (1 - b2) * g ** 2
        m = self.m[key] / (1 - b1 ** self.t)
        s = self.s[key] / (1 - b2 ** self.t)
        return self.lr * m / (np.sqrt(s) + self.eps)


def sigmoid(z):
    return 1.0 / (1.0 + np.exp(-z))


def gradients(params, x, y):
    p = sigmoid(x @ params["w"] + params["b"])
    e = (p - y) / len(y)
    return {"w": x.T @ e, "b": e.sum(keepdims=True)}


def loss(params, x, y):
    p = sigmoid(x @ params["w"] + params["b"])
    return -np.mean(y * np.log(p + 1e-12) + (1 - y) * np.log(1 - p + 1e-12))


def minibatches(x, y, size, rng):
    order = rng.permutation(len(x))
    for k in range(0, len(x), size):
        idx = order[k:k + size]
        yield x[idx], y[idx]


def fit(name, x, y, epochs=8):
    rng = np.random.default_rng(3)
    params = {"w": np.zeros(x.shape[1]), "b": np.zeros(1)}
    opt = OPTIMISERS[name](lr=0.05)
    history = []
    for epoch in range(epochs):
        for xb, yb in minibatches(x, y, 128, rng):
            params = opt.step(params, gradients(params, xb, yb))
        history.append(loss(params, x, y))
    return params, history


def main():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(2000, 25))
    w = rng.normal(size=25)
    y = (x @ w + 0.3 * rng.normal(size=2000) > 0).astype(float)
    best = None
    for name in OPTIMISERS:
        params, history = fit(name, x, y)
        accuracy = ((sigmoid(x @ params["w"] + params["b"]) > 0.5) == y).mean()
        print(name, [round(float(h), 8) for h in history[-3:]], float(accuracy), OPTIMISERS[name].__name__)
        if best is None or history[-1] < best[1]:
            best = name, history[-1]
    print(best[0])


main()
