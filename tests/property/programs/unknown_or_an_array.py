"""What one place of a container holds is an array here, and there nobody knows what."""
import json

import numpy as np


class Renewed:
    def __init__(self, n):
        self.d = {"u": np.linspace(0, 1, n), "meta": json.loads("{}")}
        self.t = (np.linspace(0, 1, n), json.loads("{}"))

    def step(self):
        self.d["u"] = np.sin(self.d["u"]) + 0.1
        self.d = {k: self.d[k] for k in self.d}
        self.t = (np.sin(self.t[0]) + 0.1, 3, 4)


class Either:
    def __init__(self, other):
        self.d = {"u": np.linspace(0, 1, 300), "other": other}

    def step(self):
        if self.d["other"] is None:
            self.d = {"u": json.loads("3"), "other": np.ones(3)}
        self.d["u"] = np.sin(self.d["u"])
        return self.d["other"], self.d["u"]


def both(x, meta):
    return {"x": np.sin(x) * 2, "meta": meta}


def updated(x):
    d = both(x, json.loads("[1]"))
    d.update(meta=d["x"])
    d.update({"x": d["meta"] * 2})
    print([d["x"].max()])


def main():
    one = Renewed(300)
    for _ in range(3):
        one.step()
        print([one.d["u"].max()], [one.t[0].max()])
    for text in ("3", "null"):
        other, u = Either(json.loads(text)).step()
        print([np.max(other)], [u.max()])
    updated(np.linspace(0, 3, 300))


main()
