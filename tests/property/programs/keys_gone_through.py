"""A dict is asked for some of its keys in turn."""
import json

import numpy as np


def measured(x):
    y = np.cos(x) * x
    return {
        "x": x, "y": y, "low": float(y.min()), "high": float(y.max()), "count": len(y),
        "parts": [y[:3], y[3:]], "log": [1.0, 2.0], "name": "cosine",
    }


def bound_again(x):
    found = {"y": np.exp(x), "name": "text", "parts": [x[:3], x[3:]], "log": [1.0]}
    for key in ("name", "count"):
        key = "y" if key == "count" else key
        print(key, found[key] if key == "name" else found[key].max())
    print([len(found[k]) for k in ("parts", "log")])


def other_key():
    global turn
    turn = "name"


def turned(x):
    global turn
    shown = {"y": np.sin(x) * 2, "z": np.cos(x) + 1, "name": "text"}
    for turn in ("y", "z"):
        other_key()
        print([shown[turn]], turn)
    return shown["y"].sum() + shown["z"].sum()


def main():
    found = measured(np.linspace(0, 4, 50))
    for _ in range(3):
        found["y"] = np.sin(found["y"]) + found["x"]
    print(json.dumps({k: found[k] for k in ("low", "high", "count")}))
    print({k: float(np.sum(found[k] ** 2)) for k in ("x", "y")})
    for key in ["x", "y"]:
        found[key] = found[key] * 2
        print(key, found[key].sum())
    for key in ("low", "x"):
        print(key, np.round(found[key], 3).sum())
    print(found["parts"][0].sum(), found["log"])
    print([k for k in ("x", "z") if k in found], found["y"].mean())
    bound_again(np.linspace(0, 1, 9))
    print(turned(np.linspace(0, 1, 9)))


main()
