import numpy as np


def forward(params, x):
    cache = []
    a = x
    for w, b in params:
        z = a @ w + b
        cache.append((a, z))
        a = np.maximum(z, 0.0)
    return a, cache


def backward(params, cache, g):
    grads = []
    for (w, b), (a, z) in zip(reversed(params), reversed(cache)):
        g = g * (z > 0)
        grads.append((a.T @ g, g.sum(axis=0)))
        g = g @ w.T
    return grads[::-1]


def step(params, grads, rate):
    return [(w - rate * dw, b - rate * db) for (w, b), (dw, db) in zip(params, grads)]


def main():
    rng = np.random.default_rng(1)
    sizes = [20, 64, 64, 5]
    params = [(rng.normal(size=(m, n)) * np.sqrt(2.0 / m), np.zeros(n)) for m, n in zip(sizes[:-1], sizes[1:])]
    x = rng.normal(size=(500, 20))
    t = np.abs(rng.normal(size=(500, 5)))
    for epoch in range(30):
        y, cache = forward(params, x)
        loss = ((y - t) ** 2).mean()
        grads = backward(params, cache, 2.0 * (y - t) / len(x))
        params = step(params, grads, 0.05)
        if epoch % 10 == 0:
            print(epoch, f"{loss:.8f}")
    print(f"{sum((w * w).sum() for w, b in params):.6f}")


main()
