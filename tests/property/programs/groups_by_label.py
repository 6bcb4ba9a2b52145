"""Groups by labels that are texts, objects or numbers: what is one of them is a key, and written."""

import json

import numpy as np

TABLE = [("a", 1.0, 2.0), ("b", 2.0, 4.5), ("a", 3.0, 6.5), ("b", 5.0, 9.0)]


def columns(rows):
    names = np.array([name for name, _, _ in rows])
    x, y = (np.array([row[k] for row in rows]) for k in (1, 2))
    return names, x, y


def groups(names, y):
    out = {}
    for n in np.unique(names):
        chosen = names == n
        out[str(n)] = {"n": int(chosen.sum()), "mean": float(y[chosen].mean())}
    return out


def counts(labels):
    found = {}
    for label in np.unique(labels):
        found[label] = np.sum(labels == label)
        print(repr(label), f"{label:>3}")
    return found


def main():
    names, x, y = columns(TABLE)
    print(json.dumps(groups(names, y), sort_keys=True), x.sum())
    print(counts(names), counts(names.astype(object)), counts(np.array([3, 1, 3])))
    print(counts(x))


if __name__ == "__main__":
    main()
