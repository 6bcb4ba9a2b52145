import numpy as np


def f(ms: dict[str, np.ndarray], bs: dict[str, np.ndarray]):
    out = {}
    for k, m in ms.items():
        out[k] = np.linalg.solve(m, bs[k])
    return out


def g(ms: dict[str, np.ndarray], bs: dict[str, np.ndarray]):
    return {k: m @ bs[k] for k, m in ms.items()}


def h(ms: dict[str, np.ndarray], bs: dict[str, np.ndarray]):
    total = 0.0
    for k in ms:
        d = np.linalg.solve(ms[k], bs[k])
        total += np.linalg.norm(d)
    return total


rng = np.random.default_rng(0)
ms = {k: rng.normal(size=(n, n)) for k, n in zip("abcd", (3, 2, 3, 3))}
bs = {k: rng.normal(size=len(m)) for k, m in ms.items()}
print(sum(x.sum() for x in f(ms, bs).values()).round(8), g(ms, bs)["c"].round(8), h(ms, bs).round(8))
bs.pop("c")
try:
    h(ms, bs)
except KeyError as e:
    print(e)
