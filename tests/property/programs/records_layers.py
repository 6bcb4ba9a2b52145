import numpy as np


class Net:
    def __init__(self, sizes, seed=0):
        rng = np.random.default_rng(seed)
        self.layers = []
        for a, b in zip(sizes[:-1], sizes[1:]):
            self.layers.append(
                {
                    "w": rng.standard_normal((a, b)) * np.sqrt(2.0 / a),
                    "b": np.zeros(b),
                    "act": "relu",
                }
            )
        self.layers[-1]["act"] = "linear"
        self.history = {"loss": [], "best": None, "grad": []}

    def forward(self, x):
        cache = [x]
        for layer in self.layers:
            z = cache[-1] @ layer["w"] + layer["b"]
            if layer["act"] == "relu":
                z = np.maximum(z, 0.0)
            cache.append(z)
        return cache

    def step(self, x, y, lr):
        cache = self.forward(x)
        err = cache[-1] - y
        loss = float(np.mean(err**2))
        self.history["loss"].append(loss)
        if self.history["best"] is None or loss < self.history["best"]:
            self.history["best"] = loss
        g = 2 * err / len(x)
        for i in reversed(range(len(self.layers))):
            layer = self.layers[i]
            if layer["act"] == "relu":
                g = g * (cache[i + 1] > 0)
            dw = cache[i].T @ g
            db = g.sum(axis=0)
            g = g @ layer["w"].T
            layer["w"] -= lr * dw
            layer["b"] -= lr * db
        self.history["grad"].append(g)


def main():
    rng = np.random.default_rng(7)
    x = rng.standard_normal((256, 8))
    y = np.sin(x[:, :1]) + x[:, 1:2] ** 2
    net = Net([8, 32, 32, 1])
    for _ in range(40):
        net.step(x, y, 0.02)
    print(f"{net.history['loss'][0]:.6f} {net.history['best']:.6f}")
    print(
        [layer["w"].shape for layer in net.layers],
        [layer["act"] for layer in net.layers],
    )
    print(round(float(sum(np.abs(g).sum() for g in net.history["grad"])), 5))


if __name__ == "__main__":
    main()
