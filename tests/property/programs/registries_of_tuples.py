import numpy as np

ACTS = {}


def activation(name, derivative):
    def register(func):
        ACTS[name] = (func, derivative)
        return func

    return register


@activation("tanh", lambda y: 1 - y**2)
def tanh(x):
    return np.tanh(x)


@activation("relu", lambda y: (y > 0).astype(float))
def relu(x):
    return np.maximum(x, 0)


def init(sizes, rng):
    return [
        {"w": rng.normal(0, 1 / np.sqrt(a), (a, b)), "b": np.zeros(b)}
        for a, b in zip(sizes[:-1], sizes[1:])
    ]


def forward(params, x, act):
    cache = [x]
    for layer in params[:-1]:
        x = act(x @ layer["w"] + layer["b"])
        cache.append(x)
    last = params[-1]
    return x @ last["w"] + last["b"], cache


def step(params, cache, out, y, lr, derivative):
    delta = (out - y) / len(y)
    for layer, inp in zip(reversed(params), reversed(cache)):
        gw, gb = inp.T @ delta, delta.sum(axis=0)
        delta = (delta @ layer["w"].T) * derivative(inp)
        layer["w"] -= lr * gw
        layer["b"] -= lr * gb


def main(name="tanh"):
    act, der = ACTS[name]
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 30))
    y = np.sin(x[:, :1])
    params = init([30, 40, 8, 1], rng)
    for epoch in range(11):
        out, cache = forward(params, x, act)
        step(params, cache, out, y, 0.1, der)
        if epoch % 10 == 0:
            print(epoch, round(float(((out - y) ** 2).mean()), 5))
    print([p["w"].shape for p in params])


main()
main("relu")
