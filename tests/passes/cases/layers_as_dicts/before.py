"""Layers as dicts in a list, activations with their derivatives in a table of the module."""

import numpy as np

ACTIVATIONS = {
    "tanh": (np.tanh, lambda y: 1 - y**2),
    "relu": (lambda z: np.maximum(z, 0), lambda y: (y > 0).astype(float)),
}


def layers(sizes, rng):
    made = []
    for before, after in zip(sizes[:-1], sizes[1:]):
        weights = rng.normal(0, 1 / np.sqrt(before), (before, after))
        made.append({"w": weights, "b": np.zeros(after)})
    return made


def forward(params, x, act):
    cache = [x]
    for layer in params[:-1]:
        x = act(x @ layer["w"] + layer["b"])
        cache.append(x)
    return x @ params[-1]["w"] + params[-1]["b"], cache


def backward(params, cache, delta, derivative, rate):
    for k in range(len(params) - 1, -1, -1):
        layer, given = params[k], cache[k]
        steps = given.T @ delta, delta.sum(axis=0)
        if k > 0:
            delta = (delta @ layer["w"].T) * derivative(given)
        layer["w"] -= rate * steps[0]
        layer["b"] -= rate * steps[1]


def train(name, epochs):
    act, derivative = ACTIVATIONS[name]
    rng = np.random.default_rng(0)
    x = rng.normal(size=(4000, 30))
    y = np.sin(x[:, :1])
    params = layers([30, 40, 20, 1], rng)
    best, kept = np.inf, None
    for _ in range(epochs):
        out, cache = forward(params, x, act)
        loss = float(((out - y) ** 2).mean())
        if loss < best:
            best, kept = loss, [{k: v.copy() for k, v in layer.items()} for layer in params]
        backward(params, cache, (out - y) / len(y), derivative, 0.1)
    return best, kept


for name in ("tanh", "relu"):
    loss, kept = train(name, 5)
    print(name, round(loss, 6), [layer["w"].shape for layer in kept])
