import json

import numpy as np


class Recorder:
    def __init__(self):
        self.history = {"loss": [], "weights": []}
        self.cache = []
        self.groups = {}

    def record(self, loss, w):
        self.history["loss"].append(loss)
        self.history["weights"].append(w.copy())
        self.cache.append((len(self.cache), w, {"norm": np.sqrt((w * w).sum())}))

    def group(self, name, array):
        if name not in self.groups:
            self.groups[name] = []
        self.groups[name].append(array)

    def last(self):
        return self.history["weights"][-1]

    def summary(self):
        return {name: np.mean(np.stack(arrays), axis=0) for name, arrays in self.groups.items()}


def main():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1000, 30))
    t = X @ np.arange(30.0)
    w = np.zeros(30)
    rec = Recorder()
    for k in range(40):
        r = X @ w - t
        w = w - 0.1 * X.T @ r / len(X)
        rec.record(float((r * r).mean()), w)
        rec.group("even" if k % 2 == 0 else "odd", w)
    w[:] = 0.0
    print(f"{rec.history['loss'][-1]:.8f} {rec.last().sum():.6f}")
    print([f"{c[2]['norm']:.4f}" for c in rec.cache[-3:]])
    print(rec.cache[-1][1].sum(), rec.cache[0][0])
    for name, mean in rec.summary().items():
        print(name, f"{mean.sum():.6f}")
    print(json.dumps({"loss": [round(one, 6) for one in rec.history["loss"][:2]]}))


main()
