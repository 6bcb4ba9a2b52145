"""Loops that read the items beside their own: ``poses[i]`` and ``poses[i + 1]``."""

import numpy as np

A = np.random.default_rng(4).normal(size=(6, 3, 3)) + 3 * np.eye(3)
SINGULAR = A.copy()
SINGULAR[2] = 1.0
HOLED = A.copy()
HOLED[3, 0, 0] = np.nan


def steps(poses: np.ndarray):
    out = []
    for i in range(len(poses) - 1):
        out.append(np.linalg.inv(poses[i]) @ poses[i + 1])
    return out


def angles(turns: np.ndarray):
    return np.array(
        [np.trace(turns[i].T @ turns[1 + i]) / 2 for i in range(turns.shape[0] - 1)]
    )


def wide(frames: np.ndarray, n: int):
    out = np.zeros((n - 2, 3))
    for i in range(n - 2):
        out[i] = np.linalg.solve(frames[i] + frames[i + 1], frames[i + 2][:, 0])
    return out


def in_step(a: np.ndarray, b: np.ndarray):
    out = []
    for i in range(len(a) - 2):
        out.append(np.linalg.svd(a[i + 1] @ b[i + 2], compute_uv=False))
    return np.array(out)


def counted(a: np.ndarray, n: int):
    return [np.linalg.det(a[i] @ a[i + 1]) for i in range(n)]


def written(a: np.ndarray):
    for i in range(len(a) - 1):
        a[i] = np.linalg.inv(a[i + 1])
    return a


def onto(a: np.ndarray, out: np.ndarray):
    for i in range(len(a) - 1):
        out[i] = np.linalg.solve(a[i], a[i + 1])
    return out


def beyond(a: np.ndarray):
    out = []
    for i in range(len(a)):
        out.append(np.linalg.inv(a[i]) @ a[i + 1])
    return out


def where(a: np.ndarray, good: np.ndarray):
    out = []
    for i in range(len(a) - 1):
        if good[i]:
            out.append(np.linalg.det(a[i] @ a[i + 1]))
    return out


def row(a: np.ndarray):
    out = np.zeros(len(a) - 1)
    for i in range(len(a) - 1):
        out[i] = np.linalg.norm(a[i + 1, 0] - a[i, 0])
    return out


def summed(a: np.ndarray):
    total = 0.0
    for i in range(len(a) - 1):
        total += np.linalg.det(a[i] @ a[i + 1].T)
    return total


def turns(a: np.ndarray):
    n = len(a)
    out = np.empty((n - 1, 3, 3))
    for i in range(1, n):
        out[i - 1] = np.linalg.solve(a[i - 1], a[i])
    return out


def changes(a: np.ndarray):
    out = np.zeros((len(a), 3))
    for i in range(1, len(a)):
        out[i] = np.linalg.eigvals(a[i] @ a[i - 1].T).real.mean() * a[i, 0]
    return out


def changes_of_some(a: np.ndarray, n: int, good: np.ndarray):
    out = np.zeros(len(a))
    for i in range(2, n):
        if good[i]:
            out[i] = np.linalg.det(a[i - 2] @ a[i])
    return out


def second(a: np.ndarray, n: int):
    return [np.linalg.inv(a[i - 1] @ a[i]) for i in range(1, n + 1)]


def without_first(a: np.ndarray):
    out = np.zeros_like(a)
    for i in range(1, len(a)):
        out[i] = np.linalg.inv(a[i])
    return out


def from_end(a: np.ndarray):
    out = np.zeros_like(a)
    for i in range(len(a)):
        out[i] = np.linalg.solve(a[i], a[i - 1])
    return out


def carried(a: np.ndarray, out: np.ndarray):
    for i in range(1, len(a)):
        out[i] = np.linalg.solve(a[i], out[i - 1])
    return out


def onwards(a: np.ndarray):
    out = np.ones_like(a)
    for i in range(len(a) - 1):
        out[i + 1] = np.linalg.inv(a[i])
    return out


def cumulated(a: np.ndarray):
    out = np.ones_like(a)
    for i in range(len(a) - 1):
        out[i + 1] = np.linalg.solve(a[i], out[i])
    return out


def numbered(a: np.ndarray):
    out, at = {}, []
    for i in range(1, len(a)):
        out[i] = np.linalg.inv(a[i] @ a[i - 1])
        at.append(i)
    return out, at


def overlapping():
    held = np.concatenate([A, A])
    return held[:6], held[1:]


CASES = {
    "steps": lambda: (A,),
    "steps-two": lambda: (A[:2],),
    "steps-one": lambda: (A[:1],),
    "steps-none": lambda: (A[:0],),
    "steps-singular": lambda: (SINGULAR,),
    "steps-holed": lambda: (HOLED,),
    "steps-list": lambda: (list(A),),
    "steps-ragged": lambda: ([A[0], A[1][:2, :2]],),
    "angles": lambda: (A,),
    "wide": lambda: (A, 6),
    "wide-fewer": lambda: (A, 4),
    "wide-none": lambda: (A, 2),
    "wide-negative": lambda: (A, 1),
    "wide-too-many": lambda: (A, 8),
    "in_step": lambda: (A, A[::-1]),
    "in_step-longer": lambda: (A[:5], A),
    "in_step-shorter": lambda: (A, A[:5]),
    "counted": lambda: (A, 5),
    "counted-all": lambda: (A, 6),
    "counted-negative": lambda: (A, -2),
    "written": lambda: (A.copy(),),
    "onto": lambda: (A, np.zeros((5, 3, 3))),
    "onto-longer": lambda: (A, np.zeros((6, 3, 3))),
    "onto-overlapping": overlapping,
    "onto-singular": lambda: (SINGULAR, np.zeros((5, 3, 3))),
    "beyond": lambda: (A,),
    "where": lambda: (A, np.array([True, False, True, True, False, True])),
    "where-none": lambda: (A, np.zeros(6, bool)),
    "row": lambda: (A,),
    "turns": lambda: (A,),
    "turns-one": lambda: (A[:1],),
    "turns-none": lambda: (A[:0],),
    "turns-singular": lambda: (SINGULAR,),
    "changes": lambda: (A,),
    "changes-two": lambda: (A[:2],),
    "changes-holed": lambda: (HOLED,),
    "changes_of_some": lambda: (A, 6, np.array([True, False, True, True, False, True])),
    "changes_of_some-fewer": lambda: (A, 3, np.ones(6, bool)),
    "changes_of_some-none": lambda: (A, 0, np.ones(6, bool)),
    "changes_of_some-negative": lambda: (A, -1, np.ones(6, bool)),
    "changes_of_some-beyond": lambda: (A, 8, np.ones(8, bool)),
    "second": lambda: (A, 5),
    "second-beyond": lambda: (A, 6),
    "second-none": lambda: (A, 0),
    "without_first": lambda: (A,),
    "from_end": lambda: (A,),
    "carried": lambda: (A, np.stack([np.eye(3)] * 6)),
    "onwards": lambda: (A,),
    "onwards-one": lambda: (A[:1],),
    "onwards-singular": lambda: (SINGULAR,),
    "cumulated": lambda: (A,),
    "numbered": lambda: (A,),
    "summed": lambda: (A,),
}
