import numpy as np


def init(sizes, rng):
    W, b = [], []
    for m, n in zip(sizes, sizes[1:]):
        W.append(rng.normal(0, 1 / np.sqrt(m), (m, n)))
        b.append(np.zeros(n))
    return W, b


def forward(W, b, x):
    acts = [x]
    for k in range(len(W)):
        z = acts[-1] @ W[k] + b[k]
        acts.append(np.tanh(z) if k < len(W) - 1 else z)
    return acts


def backward(W, acts, y):
    n = len(W)
    gW, gb = [None] * n, [None] * n
    d = 2 * (acts[-1] - y) / len(y)
    for k in reversed(range(n)):
        gW[k] = acts[k].T @ d
        gb[k] = d.sum(0)
        if k:
            d = (d @ W[k].T) * (1 - acts[k] ** 2)
    return gW, gb


def update(params, grads, lr):
    for i in range(len(params)):
        params[i] = params[i] - lr * grads[i]


def main():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 30))
    y = np.sin(x[:, :1])
    W, b = init((30, 40, 8, 1), rng)
    for epoch in range(11):
        acts = forward(W, b, x)
        gW, gb = backward(W, acts, y)
        update(W, gW, 0.05)
        update(b, gb, 0.05)
        if epoch % 10 == 0:
            print(epoch, np.mean((acts[-1] - y) ** 2).round(5))
    np.savez("net.npz", *W)


main()
