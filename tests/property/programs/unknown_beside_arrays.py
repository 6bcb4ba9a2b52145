"""What nothing is known of, under a key or at a place of its own, beside arrays."""
import json
import pickle

import numpy as np

conf = json.loads('{"a": 3, "b": [1, 2]}')
three = np.array(json.loads("[1.5, 2.5, 3.5]"))


class Sim:
    def __init__(self, n, opts):
        self.x = np.linspace(0, 1, n)
        self.state = {"u": np.zeros(n), "opts": opts, "k": 0}
        self.pair = (self.x, opts)

    def step(self):
        u = self.state["u"]
        self.state["u"] = np.sin(u + self.x) * 0.5
        self.state["k"] += 1
        return u, self.state["opts"]


def build(x, meta):
    return {"f": np.sin(x) * 2, "g": np.cos(x), "meta": meta, "n": len(x)}


def solve(x, meta):
    y = np.cos(x)
    for _ in range(3):
        y = y * x + np.sqrt(np.abs(y))
    return y, meta


def by_key(x):
    d = build(x, conf["a"])
    for _ in range(3):
        d["f"] = d["f"] * d["g"] + np.sqrt(np.abs(d["f"]))
    e = dict(d)
    e["f"] += 1
    print(d["f"].sum(), e["meta"] + 1, {**d, "meta": 7}["meta"], d.get("meta"))
    d["meta"] = d["f"] * 2
    print(d["meta"].sum(), len(d), list(d))


def gone_through(x):
    d = build(x, conf["b"])
    for key, value in d.items():
        print(key, np.sum(value))
    for value in build(x, conf["a"]).values():
        print(np.mean(value))
    print(sorted((k, float(np.max(v))) for k, v in build(x, conf["a"]).items()))


def one_or_the_other(x):
    found = solve(x, x) if len(x) > 3 else solve(x, conf["a"])
    print(np.sum(found[1]), found[0].max())
    y, z = (x * 2, np.cos(x)) if len(x) > 3 else (x, "s")
    print(np.sin(y).sum(), (np.sin(z) + y).sum())
    c = build(x, conf["a"]) if len(x) > 99 else {"f": x, "g": x, "meta": x, "n": 1}
    print(np.sum(c["meta"]), c["f"].sum())
    several = [build(x, conf["a"]), {"f": x, "g": x, "meta": x, "n": 1}]
    for one in several:
        print(np.sum(one["meta"]), one["f"].sum())


def attributes(x):
    sim = Sim(64, conf["b"])
    for _ in range(4):
        old, opts = sim.step()
    print(old.sum(), opts, sim.state["k"], sim.pair[0].sum(), sim.pair[1])
    first, *rest = sim.pair
    print(first.sum(), rest, len(pickle.dumps(sim.pair)) > 10)
    sim.state["opts"] = sim.x
    print(np.sum(sim.step()[1]))
    sim.state = {"u": x, "opts": x * 2, "k": 5}
    print(np.sum(sim.step()[1]), sim.state["k"])


def main():
    x = np.linspace(0, 3, 64)
    y, meta = solve(x, conf["a"])
    print(float(y.sum()), meta)
    t = solve(x, three)
    print(t[1] + t[0][:3])
    print([a.sum() for a, b in [solve(x, c) for c in conf["b"]]])
    by_key(x)
    gone_through(x)
    one_or_the_other(x)
    attributes(x)


main()
