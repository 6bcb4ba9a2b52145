import numpy as np


def norm(a):
    return np.sqrt((a * a).sum())


def show(name, v):
    if isinstance(v, (list, tuple)):
        return name + ": " + ", ".join(show("", q) for q in v)
    return f"{name} {type(v).__name__} {v}"


def main():
    c = np.sin(np.arange(4.0)) + np.exp(np.arange(4.0))
    rows = [
        ("a", c),
        ("n", norm(c)),
        ("l", [c, norm(c)]),
        ("s", "text"),
        ("none", None),
    ]
    rows.append(("t", (norm(c), 1)))
    for name, v in rows:
        print(show(name, v))
    for row in rows:
        print(row)
    print(
        rows[1],
        rows[2][1],
        dict(rows),
        [v for _, v in rows],
        max(rows[1][1], 0.0),
        next(iter(rows)),
        rows.pop(),
    )
    acc = []
    acc.append(norm(c))
    acc.append([norm(c)])
    acc.append(c)
    for a in acc:
        print(a)
    print(acc, acc[0], sum(acc[1]), (acc[0],) + tuple(acc[1:2]))


main()
