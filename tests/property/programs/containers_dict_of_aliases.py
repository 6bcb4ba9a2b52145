import sys, pickle
import numpy as np


def build(n):
    d = {}
    for i in range(n):
        d[f"a{i}"] = np.cos(np.arange(i + 2) * 0.1)
    d["a0"] = d["a1"]
    d["a0"][0] = 9.0
    return d


def total(d):
    t = 0.0
    for k in sorted(d):
        t += np.sum(d[k])
    return t


def merge(a, b):
    out = dict(a)
    out.update(b)
    out.setdefault("z", np.zeros(2))
    x = out.pop("a1")
    return out, x


def main(path):
    d = build(4)
    m, x = merge(d, {"q": np.exp(np.arange(3.0))})
    t = total(m)
    y = m.get("nope")
    z = m.get("q", np.ones(1))
    has = "z" in m
    x[1] = 4.0
    p = pickle.loads(pickle.dumps(d))
    d["a2"] += 1
    print(f"{t:.6f}", y is None, has, sorted(m), type(p["a2"]).__name__)
    np.savez(path, **m, x=x, zz=z, p=p["a2"], d0=d["a0"])


if __name__ == "__main__":
    main(sys.argv[1])
