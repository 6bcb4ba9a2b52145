"""What a loop adds up of linear algebra on each item: one sum of the stack."""

import numpy as np


def scatter(x: np.ndarray):
    g = np.zeros((3, 3))
    for v in x:
        g += np.outer(v, v)
    return g / len(x)


def weighted(x: np.ndarray, w: np.ndarray, mean: np.ndarray):
    g = np.zeros((3, 3))
    for i in range(len(x)):
        d = x[i] - mean
        g += w[i] * np.outer(d, d)
    return g / w.sum()


def bound_anew(a: np.ndarray):
    g = np.zeros((3, 3))
    for m in a:
        g = g + m @ m.T
    return g


def bound_anew_right(a: np.ndarray, first: np.ndarray):
    g = first
    for m in a:
        g = np.linalg.inv(m) + g
    return g


def number_anew(a: np.ndarray):
    total = 0
    for m in a:
        total = total + np.linalg.det(m)
    return total


def products(a: np.ndarray, g: np.ndarray):
    for m in a:
        g += m @ m
    return g


def outer_into(x: np.ndarray, g: np.ndarray):
    for v in x:
        g += np.outer(v, v)
    return g


def how_many(a: np.ndarray, n: int):
    out = []
    for m in a:
        out.append(np.linalg.inv(m))
        n += 2
    return out, n


def weighted_some(x: np.ndarray, w: np.ndarray):
    g, n = np.zeros((3, 3)), 0
    for v, k in zip(x, w):
        if k > 0.3:
            g += k * np.outer(v, v)
            n += 1
    return g, n


RNG = np.random.default_rng(5)
A = RNG.normal(size=(6, 3, 3))
X = RNG.normal(size=(9, 3))
W = RNG.random(9)
CASES = {
    "scatter": lambda: (X.copy(),),
    "scatter-single": lambda: (X.astype("f4"),),
    "scatter-empty": lambda: (X[:0],),
    "scatter-complex": lambda: (X + 1j,),
    "scatter-matrices": lambda: (A.copy(),),
    "weighted": lambda: (X.copy(), W.copy(), X.mean(axis=0)),
    "weighted-single": lambda: (X.astype("f4"), W.astype("f4"), X.mean(axis=0)),
    "bound_anew": lambda: (A.copy(),),
    "bound_anew-empty": lambda: (A[:0],),
    "bound_anew-complex": lambda: (A + 1j,),
    "bound_anew_right": lambda: (A.copy(), np.ones((3, 3))),
    "bound_anew_right-row": lambda: (A.copy(), np.ones(3)),
    "bound_anew_right-whole": lambda: (A.copy(), np.ones((3, 3), int)),
    "bound_anew_right-empty": lambda: (A[:0], np.ones((3, 3), int)),
    "number_anew": lambda: (A.copy(),),
    "number_anew-empty": lambda: (A[:0],),
    "products": lambda: (A.copy(), np.zeros((3, 3))),
    "products-small": lambda: ((A * 40).astype("i1"), np.zeros((3, 3), "i8")),
    "products-bool": lambda: (A > 0, np.zeros((3, 3), bool)),
    "products-boolwhole": lambda: (A > 0, np.zeros((3, 3), int)),
    "products-cast": lambda: (A.copy(), np.zeros((3, 3), int)),
    "outer_into-small": lambda: ((X * 40).astype("i1"), np.zeros((3, 3), "i8")),
    "outer_into-unsigned": lambda: ((X * 40).astype("u1"), np.zeros((3, 3), "f8")),
    "outer_into-bool": lambda: (X > 0, np.zeros((3, 3), bool)),
    "outer_into-half": lambda: (X.astype("f2"), np.zeros((3, 3), "f8")),
    "outer_into-cast": lambda: (X.copy(), np.zeros((3, 3), int)),
    "outer_into-row": lambda: (X.copy(), np.zeros(3)),
    "how_many": lambda: (A.copy(), 3),
    "how_many-float": lambda: (A.copy(), 0.5),
    "how_many-array": lambda: (A.copy(), np.array([1, 2])),
    "weighted_some": lambda: (X.copy(), W.copy()),
    "weighted_some-none": lambda: (X.copy(), W * 0),
}
