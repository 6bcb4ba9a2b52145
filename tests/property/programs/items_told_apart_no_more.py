"""Containers of which some items are known: spread out, cut and repeated, they are still NumPy's."""

import json

import numpy as np

UNKNOWN = json.loads("[2.5, 7]")


def kinds(values):
    numpys = (np.ndarray, np.generic, int, float)
    return [kinds(v) if isinstance(v, tuple) else isinstance(v, numpys) for v in values]


def parts(a: np.ndarray):
    y = np.exp(a) * np.sin(a) + np.cos(a)
    return UNKNOWN[0], y.sum(), y


def named(a: np.ndarray):
    y = np.exp(a) * np.sin(a) + np.cos(a)
    return {"k": UNKNOWN[0], "sum": y.sum(), "y": y}


def spread(a: np.ndarray):
    v = parts(a)
    return [*v, 0], a * 2


def cut(a: np.ndarray):
    v = parts(a)
    return v[:2], a * 2


def copied(a: np.ndarray):
    v = named(a)
    return {**v, "z": 1}, a * 2


def repeated(a: np.ndarray):
    found = []
    for k in range(3):
        y = np.exp(a) * np.sin(a) + k
        found.append((UNKNOWN[0], y.sum()))
    return [w * 2 for w in found], a * 2


def zipped(a: np.ndarray):
    y = np.exp(a) * np.sin(a) + np.cos(a)
    return [(0, 1), *zip(a, y), (2.0, 3.0)], y * 2


def main():
    a = np.linspace(0.0, 1.0, 6)
    print(kinds(spread(a)[0]), kinds(cut(a)[0]), kinds(copied(a)[0].values()))
    print(kinds(repeated(a)[0]), kinds(zipped(a)[0]))


main()
