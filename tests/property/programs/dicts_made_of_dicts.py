"""Dicts that are made of others and of keywords: `dict(state, u=u)`."""

import numpy as np


def step(state, dt):
    u = state["u"] + dt * np.cos(state["u"])
    return dict(state, u=u, t=state["t"] + dt)


def grow(state):
    other = dict(state, v=np.exp(state["u"]))
    other["u"] += 1.0
    return other


def fresh(n):
    a = {"x": np.sin(np.arange(n)), "k": 2}
    b = dict(a, x=np.cos(a["x"]), y=a["x"] * 2)
    b["y"] += b["x"]
    return a, b


def pairs(n):
    d = dict([("a", np.exp(np.arange(n)))], b=np.sin(np.arange(n)))
    e = dict(zip("xy", (np.ones(n), np.zeros(n))), z=np.cos(np.arange(n)))
    e["z"] += d["a"] * e["x"] + d["b"]
    return e


def settings(**kw):
    full = dict(kw, w=np.exp(np.sin(np.arange(4.0))))
    return full["w"] * full["gain"] + full.get("base", 0.0)


if __name__ == "__main__":
    s = {"u": np.linspace(0, 1, 4), "t": 0.0, "name": "run"}
    first = s
    for _ in range(3):
        s = step(s, 0.1)
    print(s, first)
    g = grow(s)
    print(g, s)
    print(*fresh(4))
    print(pairs(3))
    print(settings(gain=np.arange(4.0)), settings(gain=2.0, base=np.ones(4)))
