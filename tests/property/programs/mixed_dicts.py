import numpy as np


def norm(a):
    return np.sqrt((a * a).sum())


def results(c):
    return {"x": c * 2, "n": norm(c), "l": [norm(c), c], "d": {"a": norm(c)}}


c = np.sin(np.arange(4.0)) + np.exp(np.arange(4.0))
d = results(c)
for k in d:
    print(k, d[k])
for v in d.values():
    print(v)
for k, v in d.items():
    print(k, v)
print([v for v in d.values()], d.get("n"), d.get("l"), {**d, "z": 1}, dict(d))
for k, v in sorted(results(c).items()):
    print(k, type(v).__name__, v)
