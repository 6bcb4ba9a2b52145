import copy
import numpy as np


def nested(n):
    return {"a": {"w": np.ones(n), "k": 1}, "b": {"w": np.zeros(n), "k": 2}, "list": [1, 2], "pair": (np.arange(n) * 1.0, "p")}


def bump(tree, key):
    tree[key]["w"] += 1.0
    tree[key]["k"] += 1
    return tree[key]


def swap(tree):
    tree["a"], tree["b"] = tree["b"], tree["a"]


def main():
    t = nested(1000)
    alias = t["a"]
    bump(t, "a")
    bump(t, "b")
    swap(t)
    alias["w"][0] = 50.0
    print(t["b"]["w"][:2], t["a"]["w"][:2], t["a"]["k"], t["b"]["k"])
    deep = copy.deepcopy(t)
    shallow = dict(t)
    shallow["a"]["w"][1] = 7.0
    deep["a"]["w"][1] = 9.0
    print(t["a"]["w"][:3], deep["a"]["w"][:3])
    arr, label = t["pair"]
    arr *= 2
    print(t["pair"][0][:3], label, t["list"])
    t["pair"] = (t["pair"][1], t["pair"][0])
    print(t["pair"][0], t["pair"][1].sum())
    del t["list"]
    print(sorted(t), "list" in t, len(t))
    t["a"] = 3
    print(t["a"], t["b"]["w"].sum())


main()
