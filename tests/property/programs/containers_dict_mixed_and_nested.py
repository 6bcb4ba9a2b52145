import sys
import numpy as np


def stats(fields, names=None):
    out = []
    for name, f in fields.items():
        if names is not None and name not in names:
            continue
        out.append((name, f.mean(), f.min()))
    return out


def mixed(n):
    params = {"k": 3, "x": np.linspace(0, 2, n), "label": "run", "s": 2.5}
    params["x"] = np.tanh(params["x"] * params["s"]) + params["k"]
    return params


def nested(n):
    tree = {
        "a": {"u": np.ones(n), "v": np.arange(n) * 1.0},
        "b": {"u": np.zeros(n), "v": np.ones(n)},
    }
    for key in tree:
        tree[key]["u"] = np.sqrt(tree[key]["v"] + 1)
        tree[key]["v"] *= 2
    return tree


def main(path):
    f = {"p": np.exp(np.linspace(0, 1, 40)), "q": np.log1p(np.linspace(0, 1, 40))}
    for name, m, lo in stats(f, ("p", "q")):
        print(name, f"{m:.6f} {lo:.6f}")
    p = mixed(20)
    print(p["label"], p["k"])
    t = nested(8)
    flat = {f"{a}_{b}": v for a, d in t.items() for b, v in d.items()}
    np.savez(path, x=p["x"], **flat, **f)


if __name__ == "__main__":
    main(sys.argv[1])
