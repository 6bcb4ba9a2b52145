"""Arrays of the device put beside what nothing is known of, in dicts, lists and namespaces."""

import types
from collections import ChainMap, OrderedDict, defaultdict

import numpy as np


def a(n, c):
    w = np.exp(np.sin(np.arange(n)))
    d = dict(c.opts, z=w)
    return np.cos(d["z"]) * d["w"]


def b(n, c):
    w = np.exp(np.sin(np.arange(n)))
    d = {**c.opts, "z": w}
    return np.cos(d["z"]) * d["w"]


def e(n, c):
    w = np.exp(np.sin(np.arange(n)))
    d = dict(c.opts)
    d["z"] = w
    return np.cos(d["z"]) * d["w"]


def f(n, c):
    w = np.exp(np.sin(np.arange(n)))
    d = c.opts
    d.update(z=w)
    return np.cos(d["z"]) * d["w"]


def g(n, c):
    w = np.exp(np.sin(np.arange(n)))
    d = {"z": w}
    d.update(c.opts)
    return np.cos(d["z"]) * d["w"]


def h(n, c):
    w = np.exp(np.sin(np.arange(n)))
    d = {"z": w} | c.opts
    return np.cos(d["z"]) * d["w"]


def i(n, c):
    w = np.exp(np.sin(np.arange(n)))
    l = [w, *c.hist]
    return np.cos(l[0]) * l[1]


def j(n, c):
    w = np.exp(np.sin(np.arange(n)))
    l = [w]
    l.extend(c.hist)
    l += c.hist
    return np.cos(l[0]) * l[1]


def k(n, c):
    w = np.exp(np.sin(np.arange(n)))
    l = [w] + c.hist
    return np.cos(l[0]) * l[1]


def m(n, c):
    w = np.exp(np.sin(np.arange(n)))
    l = (w, *c.hist)
    p, *q = l
    return np.cos(l[0]) * l[1] + q[-1]


def o(n, c):
    w = np.exp(np.sin(np.arange(n)))
    d = dict(zip(c.names, c.hist), z=w)
    return np.cos(d["z"]) * d["w"]


def p(n, c):
    w = np.exp(np.sin(np.arange(n)))
    l = list(c.hist)
    l.append(w)
    l[0] = w + l[1]
    return np.cos(l[-1]) * l[1]


def q(n, **kw):
    w = np.exp(np.sin(np.arange(n)))
    d = dict(kw, z=w)
    d2 = {**kw, "z": w}
    return np.cos(d["z"]) * d["w"] * d2["w"]


def r(n, c):
    w = np.exp(np.sin(np.arange(n)))
    s = types.SimpleNamespace(w=w, **c.opts2)
    return np.cos(s.w) * s.q


def s(n, c):
    w = np.exp(np.sin(np.arange(n)))
    d = dict.fromkeys(["a", "b"], w)
    d["c"] = c.x
    return d["a"] * d["c"] + d["b"]


def t(n, c):
    w = np.exp(np.sin(np.arange(n)))
    d = {k: w for k in "ab"}
    d.setdefault("c", c.x)
    e = [w, w]
    e[1:] = c.hist
    return d["a"] * d["c"] + e[1]


def u(n, c):
    w = np.exp(np.sin(np.arange(n)))
    d = ChainMap({"z": w}, c.opts)
    o = OrderedDict(c.opts)
    o["z"] = w
    z = defaultdict(lambda: c.x)
    z["z"] = w
    return d["z"] * d["w"] + o["z"] * o["w"] + z["z"] * z["q"]


if __name__ == "__main__":
    for f_ in (a, b, e, f, g, h, i, j, k, m, o, p, q, r, s, t, u):
        x = np.linspace(0, 1, 4)
        c = types.SimpleNamespace(opts={"w": x.copy(), "v": 2.0}, opts2={"q": x}, hist=[x.copy(), x + 1], names=["w", "y"], x=x)
        print(f_.__name__, f_(4, c) if f_ is not q else q(4, w=x))
