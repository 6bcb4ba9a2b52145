"""What builtins give of things that nothing is known of may be arrays, which stay on the host."""

import types

import numpy as np


def summed(n, b):
    w = np.exp(np.sin(np.arange(n)))
    return w * sum(b.parts) if n == 4 else w * 2


def largest(n, b):
    w = np.exp(np.sin(np.arange(n)))
    return np.cos(w * max(b.parts, key=np.sum))


def absolute(n, b):
    w = np.exp(np.sin(np.arange(n)))
    return w * abs(b.v)


def squared(n, b):
    w = np.exp(np.sin(np.arange(n)))
    return np.cos(w * pow(b.v, 2)) + w


def divided(n, b):
    w = np.exp(np.sin(np.arange(n)))
    q, r = divmod(b.v, 2)
    return w * q + r


def rounded(n, b):
    w = np.exp(np.sin(np.arange(n)))
    return np.cos(w * round(b.v.sum()) + w) * getattr(b, "v")


def grown(n, b):
    w = np.exp(np.sin(np.arange(n)))
    k = getattr(b, "v")
    w += k
    return np.cos(w)


def stored(n, b):
    w = np.exp(np.sin(np.arange(n)))
    w[:2] = getattr(b, "v")[:2]
    return np.cos(w) @ getattr(b, "v", None)


def chosen(n, b):
    w = np.exp(np.sin(np.arange(n)))
    return np.where(w > 1, w, getattr(b, "v"))


def default(n, b):
    w = np.exp(np.sin(np.arange(n)))
    return w * (b.v or 1.0 if b.n == 3 else b.v)


def asked(n, b):
    w = np.exp(np.sin(np.arange(n)))
    return w * (b.n == 4 and b.v)


def generated(n, b):
    w = np.exp(np.sin(np.arange(n)))
    return w * sum((p for p in b.parts), 0.0)


def least(n, b):
    w = np.exp(np.sin(np.arange(n)))
    m = min(b.parts, key=lambda p: p[0])
    return np.stack([w, m]), np.dot(w, m), w > m


def of_a_dict(n, b):
    w = np.exp(np.sin(np.arange(n)))
    s = sum(b.d.values())
    w -= s
    return w, w == s, w[sorted(b.d)[0] == "k"]


def filled(n, b):
    out = getattr(b, "v")
    np.add(np.sin(np.arange(n)), 1.0, out=out)
    return out


def best(n, runs):
    cost, u = min(runs)
    return cost, np.exp(np.sin(np.arange(n))) * u


FUNCTIONS = (summed, largest, absolute, squared, divided, rounded, grown, stored, chosen, default, asked, generated, least, of_a_dict, filled)

if __name__ == "__main__":
    parts = [np.ones(4), np.arange(4.0)]
    box = types.SimpleNamespace(v=np.ones(4), parts=parts, d={"k": np.zeros(4)}, n=4)
    for function in FUNCTIONS:
        print(function.__name__, function(4, box))
    print(summed(3, types.SimpleNamespace(parts=[1, 2.0])), rounded(4, box))
    print(best(4, vars(types.SimpleNamespace(r=[(2.0, np.ones(4)), (1.0, np.zeros(4))]))["r"]))
