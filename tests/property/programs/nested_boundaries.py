import numpy as np


def extend(groups, x):
    groups["a"].append(np.sin(x) * np.cos(x) + np.exp(-x))
    groups["b"] = [np.cos(x)]


def scale(rows):
    for row in rows:
        for one in row:
            one *= np.sqrt(2.0) + one


def replace(rows, k):
    rows[k][0] = np.exp(-np.sin(rows[k][0])) * 2.0
    return rows[k]


def total(rows):
    s = np.zeros_like(rows[0][0])
    for row in rows:
        for one in row:
            s = s + np.sin(one) * np.cos(one) ** 2
    return s


def pairs(rows):
    return [(np.sin(a) * np.exp(a), np.cos(b) + np.sqrt(np.abs(b))) for a, b in rows]


def same(rows):
    return [row[0] for row in rows]


x = np.linspace(0.0, 1.0, 1000)
groups = {"a": [], "b": []}
held = groups["b"]
extend(groups, x)
extend(groups, x + 1)
print({k: [type(v).__name__ for v in vs] for k, vs in groups.items()}, held)
print(f"{groups['a'][1].sum():.6f}")
rows = [[x.copy(), x + 1.0], [x + 2.0]]
first = rows[0][0]
scale(rows)
print(f"{first.sum():.6f} {rows[0][0] is first}")
got = replace(rows, 1)
print(got is rows[1], f"{rows[1][0].sum():.6f}", type(rows[1][0]).__name__)
print(f"{total(rows).sum():.6f}")
ps = pairs([(x, x + 1.0), (x - 1.0, x)])
print([(type(a).__name__, f"{b.sum():.5f}") for a, b in ps])
s = same(rows)
s[0][0] = 77.0
print(rows[0][0][0], s[0] is rows[0][0])
