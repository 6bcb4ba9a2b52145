import sys

import numpy as np

KIND = np.dtype([("x", "f8"), ("y", "f8"), ("vx", "f8"), ("m", "f4"), ("tag", "i4")])


def energy(p: np.ndarray):
    speed = np.sqrt(p["vx"] ** 2 + p["y"] ** 2)
    p["m"] *= 2
    return 0.5 * np.sum(p["m"] * speed**2)


def drift(p: np.ndarray, dt: float, steps: int):
    vx = p["vx"]
    for _ in range(steps):
        p["x"] += dt * vx
        vx *= 0.99
        p["y"] = np.sqrt(p["x"] ** 2 + np.cos(p["x"]))
    return np.exp(-p["y"]).sum() + p[2]["x"] + p["x"][3]


def warm(p: np.ndarray):
    x = p["x"].copy()
    for _ in range(50):
        x = x + 0.1 * np.sin(x) * np.exp(-x)
    return x


def gathered(p: np.ndarray, chosen: np.ndarray):
    part = p[chosen]
    part["tag"] = np.arange(len(part))
    both = p[["x", "y"]]
    p["x"][chosen] = -1.0
    return part["tag"].sum() + np.tanh(part["x"]).sum(), both["x"].max(), both.dtype.names


p = np.zeros(8, KIND)
p["x"] = np.arange(8)
p["vx"] = np.sin(p["x"])
p["m"] = 2
print(energy(p), energy(p), p["m"])
print(drift(p, 0.1, 20), p)
warmed = warm(p)
print(warmed, warm(p[p["x"] > 1]), gathered(p, p["x"] > 3), p["x"], p["tag"])
np.savez(sys.argv[1], p=p["x"], m=p["m"], warmed=warmed)
