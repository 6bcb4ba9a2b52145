"""Training that draws each batch from a generator that never ends."""
import numpy as np


def batches(x, y, size, rng):
    n = len(x)
    while True:
        order = rng.permutation(n)
        for start in range(0, n - size + 1, size):
            idx = order[start:start + size]
            yield x[idx], y[idx]


def loss_and_grad(w, xb, yb):
    p = 1.0 / (1.0 + np.exp(-(xb @ w)))
    err = p - yb
    loss = -np.mean(yb * np.log(p + 1e-9) + (1 - yb) * np.log(1 - p + 1e-9))
    return loss, xb.T @ err / len(yb)


def train(x, y, steps=60, size=256, lr=0.5):
    rng = np.random.default_rng(0)
    feed = batches(x, y, size, rng)
    w = np.zeros(x.shape[1])
    losses = []
    for step in range(steps):
        xb, yb = next(feed)
        loss, gw = loss_and_grad(w, xb, yb)
        w = w - lr * gw
        losses.append(loss)
    return w, losses


def main():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(4000, 30))
    true = rng.normal(size=30)
    y = (x @ true > 0).astype(float)
    w, losses = train(x, y)
    print(np.round(w[:5], 6), round(float(losses[-1]), 6))


if __name__ == "__main__":
    main()
