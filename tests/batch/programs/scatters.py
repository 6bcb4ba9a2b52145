"""What items add at places that they name: assembly of matrices, loads of vectors."""

import numpy as np
from numpy.typing import NDArray


def stiffness(nodes: NDArray[np.float64], elements: NDArray[np.int64]):
    K = np.zeros((len(nodes), len(nodes)))
    areas = np.zeros(len(elements))
    for e, corners in enumerate(elements):
        p = nodes[corners]
        J = np.array([p[1] - p[0], p[2] - p[0]]).T
        det = np.linalg.det(J)
        G = np.linalg.inv(J).T @ np.array([[-1.0, 1.0, 0.0], [-1.0, 0.0, 1.0]])
        Ke = 0.5 * abs(det) * G.T @ G
        areas[e] = 0.5 * abs(det)
        for a in range(3):
            for b in range(3):
                K[corners[a], corners[b]] += Ke[a, b]
    return K, areas


def springs(mats: NDArray[np.float64], ends: NDArray[np.int64]):
    """Each row of `ends` names two of the masses, each of which has two rows."""
    K = np.zeros((12, 12))
    for i in range(len(ends)):
        k = np.linalg.inv(mats[i])
        for a, one in enumerate(ends[i]):
            for b, other in enumerate(ends[i]):
                sign = 1.0 if a == b else -1.0
                K[2 * one, 2 * other] += sign * k[0, 0]
                K[2 * one, 2 * other + 1] += sign * k[0, 1]
                K[2 * one + 1, 2 * other + 1] -= k[1, 1]
    return K


def rows(mats: NDArray[np.float64], owners: NDArray[np.int64], out: NDArray[np.float64]):
    for i in range(mats.shape[0]):
        out[owners[i]] += np.linalg.solve(mats[i], mats[i, 0])
    return out


def counted(mats: NDArray[np.float64], owners: NDArray[np.int64]):
    ranks = np.zeros(6)
    for m, owner in zip(mats, owners):
        ranks[owner] += np.linalg.det(m)
        ranks[owner] -= 1
    return ranks


def read_too(mats: NDArray[np.float64], owners: NDArray[np.int64]):
    """Carried: an item reads what others have added."""
    found = np.zeros(6)
    for m, owner in zip(mats, owners):
        found[owner] += np.linalg.det(m) + found[0]
    return found


def spread(owners: NDArray[np.int64], weights: NDArray[np.float64], n=9):
    """No linear algebra: each row of `owners` names places."""
    f = np.zeros(n)
    for row, w in zip(owners, weights):
        f[row] += w / 3
    return f


def cut_off(mats: NDArray[np.float64], owners: NDArray[np.int64], n=6):
    """Whole numbers, of which each sum is cut off: the order counts."""
    found = np.zeros(n, dtype=int)
    for m, owner in zip(mats, owners):
        found[owner] += np.linalg.det(m) / 2
        found[owner] -= 2.75
    return found


def with_same(mats: NDArray[np.float64], points: NDArray[np.float64]):
    """What is the same for all items stands beside them."""
    out = np.zeros(len(points))
    for i, p in enumerate(points):
        B = np.vstack([np.ones(p.shape[0]), p.T])
        C = np.column_stack([p, np.arange(3.0)])
        out[i] = np.linalg.det(B) + np.linalg.det(C @ np.array([[2.0, 0.0, 1.0], [0, 1, 0], [1, 1, 1]]))
    return out


_draw = np.random.default_rng(5)
_nodes = _draw.normal(size=(9, 2))
_elements = np.array([_draw.permutation(9)[:3] for _ in range(14)])
_mats = _draw.normal(size=(7, 2, 2)) + 3 * np.eye(2)
_ends = np.array([[0, 1], [1, 2], [5, 3], [4, 0], [2, 5], [1, 0], [3, 4]])
_points = _draw.normal(size=(5, 3, 2))
_draw_weights = _draw.uniform(size=14)
_owners = np.array([0, 3, 3, 5, 1, 0, 3])

CASES = {
    "stiffness": lambda: (_nodes, _elements),
    "stiffness-negative": lambda: (_nodes, _elements - 9),
    "stiffness-none": lambda: (_nodes, _elements[:0]),
    "stiffness-floating": lambda: (_nodes, _elements.astype(float)),
    "springs": lambda: (_mats, _ends), "springs-int32": lambda: (_mats, _ends.astype(np.int32)),
    "springs-itself": lambda: (_mats, np.where(_ends == 4, 0, _ends)),
    "rows": lambda: (_mats, _owners, np.zeros((6, 2))),
    "rows-single": lambda: (_mats, _owners, np.zeros((6, 2), np.float32)),
    "rows-whole": lambda: (_mats, _owners, np.zeros((6, 2), int)),
    "rows-turned": lambda: (_mats, _owners, np.zeros((6, 2))[::-1]),
    "counted": lambda: (_mats, _owners), "read_too": lambda: (_mats, _owners),
    "spread": lambda: (_elements, _draw_weights), "spread-numbers": lambda: (_owners, _draw_weights[:7]),
    "spread-short": lambda: (_elements, _draw_weights[:5]), "spread-far": lambda: (_elements, _draw_weights, 5),
    "spread-itself": lambda: (_elements // 2, _draw_weights), "spread-rows": lambda: (_elements, _elements * 0.5),
    "cut_off": lambda: (_mats, _owners),
    "with_same": lambda: (_mats, _points),
}
