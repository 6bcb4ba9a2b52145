import numpy as np

def init(sizes, rng):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers.append({"w": rng.standard_normal((a, b)) * np.sqrt(2.0 / a), "b": np.zeros(b), "act": "relu"})
    layers[-1]["act"] = "linear"
    return layers

def forward(layers, x):
    cache = [x]
    for layer in layers:
        z = cache[-1] @ layer["w"] + layer["b"]
        if layer["act"] == "relu":
            z = np.maximum(z, 0.0)
        cache.append(z)
    return cache

def train(x, y, sizes, steps=50, lr=0.05, seed=0):
    rng = np.random.default_rng(seed)
    layers = init(sizes, rng)
    history = {"loss": [], "lr": lr, "best": None}
    for _ in range(steps):
        cache = forward(layers, x)
        err = cache[-1] - y
        history["loss"].append(float(np.mean(err ** 2)))
        g = 2 * err / len(x)
        for i in reversed(range(len(layers))):
            layer = layers[i]
            if layer["act"] == "relu":
                g = g * (cache[i + 1] > 0)
            dw = cache[i].T @ g
            db = g.sum(axis=0)
            g = g @ layer["w"].T
            layer["w"] -= lr * dw
            layer["b"] -= lr * db
    history["best"] = min(history["loss"])
    return layers, history

def main():
    rng = np.random.default_rng(7)
    x = rng.standard_normal((256, 8))
    y = np.sin(x[:, :1]) + x[:, 1:2] ** 2
    layers, history = train(x, y, [8, 32, 32, 1])
    print(f"{history['loss'][0]:.6f} {history['best']:.6f} {history['lr']}")
    print([layer["w"].shape for layer in layers])

if __name__ == "__main__":
    main()
