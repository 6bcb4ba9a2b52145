"""Archives with text, numbers and arrays in them; paths that are put together."""
import sys
from pathlib import Path

import numpy as np

FOLDER = Path(".")


def main():
    np.savez("run.npz", names=np.array(["a", "b", "a"]), x=np.arange(60000.0).reshape(3, 20000), dt=0.5, n=3)
    np.save("grid.npy", np.linspace(0, 1, 20000))
    data = np.load(FOLDER / "run.npz")
    names = data["names"]
    dt = float(data["dt"])
    n = int(data["n"])
    x = data["x"]
    mask = names == "a"
    print(x[mask].sum(), dt, n, names[0], list(names), sorted(set(names.tolist())))
    for k in range(n):
        x[k] *= dt
    print(f"{x.mean(axis=1).sum():.6f}", data["x"].sum())
    grid = np.load(f"{FOLDER}/grid.npy")
    total = (np.exp(grid) * x).sum()
    print(f"{total:.6f}")
    if "missing" in data:
        print(data["missing"])
    for key in data:
        print(key, data[key].shape)
    for key, value in data.items():
        print(key, value.dtype.kind)
    labels, counts = np.unique(data["names"], return_counts=True)
    print(labels, counts)


main()
