"""Conditions that decide for each item: what stands under them is for the items they choose."""

import numpy as np


def masked(a: np.ndarray, ok: np.ndarray):
    out = np.zeros_like(a)
    for i in range(len(a)):
        if ok[i]:
            out[i] = np.linalg.inv(a[i])
    return out


def skipped(a: np.ndarray, ok: np.ndarray):
    out = []
    for m, good in zip(a, ok):
        if not good:
            continue
        out.append(np.linalg.inv(m))
    return np.array(out)


def singular_left_out(a: np.ndarray):
    out = np.zeros_like(a)
    for i, m in enumerate(a):
        d = np.linalg.det(m)
        if abs(d) < 1e-8:
            continue
        out[i] = np.linalg.inv(m) * d
    return out


def either(a: np.ndarray):
    out = np.empty_like(a)
    for i in range(len(a)):
        if np.linalg.det(a[i]) > 0:
            out[i] = np.linalg.inv(a[i])
        else:
            out[i] = np.eye(3)
    return out


def three_ways(a: np.ndarray, kind: np.ndarray):
    out = np.zeros_like(a)
    for i in range(len(a)):
        m = a[i] @ a[i].T
        if kind[i] == 0:
            out[i] = np.linalg.inv(m)
        elif kind[i] == 1:
            w, v = np.linalg.eigh(m)
            out[i] = v @ np.diag(np.sqrt(np.abs(w))) @ v.T
        else:
            out[i] = m / np.linalg.norm(m)
    return out


def twice(a: np.ndarray, ok: np.ndarray):
    numbers, found = [], []
    for i in range(len(a)):
        if not ok[i]:
            continue
        w = np.linalg.eigvalsh(a[i] + a[i].T)
        if w[0] > 0 or w.max() < 1:
            continue
        numbers.append(i)
        found.append(w / np.abs(w).max())
    return numbers, found


def total_of_some(a: np.ndarray, w: np.ndarray):
    total, g = 0.0, np.zeros((3, 3))
    for i in range(len(a)):
        if w[i] > 0.5:
            p = np.linalg.pinv(a[i])
            total += np.linalg.norm(p)
            g += p
    return total, g


def chosen_alone(a: np.ndarray, ok: np.ndarray):
    return [np.linalg.inv(m) for m, o in zip(a, ok) if o]


def chosen_by_value(a: np.ndarray):
    return [np.linalg.inv(m) @ m.T for m in a if abs(np.linalg.det(m)) > 1e-8 if m[0, 0] != 0]


def chosen_number(a: np.ndarray, ok: np.ndarray):
    return np.array([np.linalg.det(a[i]) for i in range(len(a)) if ok[i]])


def by_number(a: np.ndarray, ok: np.ndarray):
    found = {}
    for i in range(len(a)):
        if ok[i]:
            found[i] = np.linalg.inv(a[i])
    return found


def guarded(a: np.ndarray, ok: np.ndarray):
    out = np.zeros(len(a))
    for i in range(len(a)):
        if ok[i] and np.linalg.matrix_rank(a[i]) == 3:
            out[i] = np.linalg.slogdet(a[i])[1]
    return out


def argument_written(a: np.ndarray, ok: np.ndarray, out: np.ndarray):
    for i in range(len(a)):
        if ok[i]:
            out[i] = np.linalg.inv(a[i])


def own_written(a: np.ndarray, ok: np.ndarray):
    for m, o in zip(a, ok):
        if o:
            m[:] = np.linalg.inv(m)


def replaced(a: np.ndarray, ok: np.ndarray):
    for i in range(len(a)):
        if ok[i]:
            a[i] = np.linalg.inv(a[i])
            a[i] = a[i] @ a[i]
    return a


def bound_in_branch(a: np.ndarray, ok: np.ndarray):
    out = np.zeros(len(a))
    for i in range(len(a)):
        m = a[i]
        if ok[i]:
            m = np.linalg.inv(m)
        out[i] = np.linalg.norm(m)
    return out


def order_of_list(a: np.ndarray, ok: np.ndarray):
    out = []
    for i in range(len(a)):
        if ok[i]:
            out.append(np.linalg.inv(a[i]))
        else:
            out.append(a[i] * 2.0)
    return out


def last_kept(a: np.ndarray, ok: np.ndarray):
    best = None
    for i in range(len(a)):
        if ok[i]:
            best = np.linalg.inv(a[i])
    return best


def counted(a: np.ndarray, ok: np.ndarray):
    chosen = 0
    out = np.zeros_like(a)
    for i in range(len(a)):
        if ok[i]:
            out[i] = np.linalg.inv(a[i])
            chosen += 1
    return out, chosen


def listed(mats: list[np.ndarray]):
    out = []
    for m in mats:
        if np.linalg.det(m) > 0:
            out.append(np.linalg.inv(m))
    return out


def stopped(a: np.ndarray):
    out = np.zeros_like(a)
    for i in range(len(a)):
        if np.linalg.det(a[i]) > 0:
            break
        out[i] = np.linalg.inv(a[i])
    return out


def flag_of_all(a: np.ndarray, really: bool):
    out = np.zeros_like(a)
    for i in range(len(a)):
        if really:
            out[i] = np.linalg.inv(a[i])
    return out


def columns(a: np.ndarray, ok: np.ndarray):
    out = np.zeros((3, 3, a.shape[2]))
    for i in range(a.shape[2]):
        if ok[i]:
            out[:, :, i] = np.linalg.inv(a[:, :, i])
    return out


def two_outputs(a: np.ndarray, b: np.ndarray, ok: np.ndarray):
    x, r = np.zeros_like(b), np.full(len(a), -1.0)
    for i in range(len(a)):
        if not ok[i]:
            continue
        x[i] = np.linalg.solve(a[i], b[i])
        r[i] = np.linalg.norm(a[i] @ x[i] - b[i])
    return x, r


RNG = np.random.default_rng(0)
A = RNG.normal(size=(6, 3, 3))
S = A.copy()
S[3] = 0
N = A.copy()
N[2, 1, 1] = np.nan
OK = np.array([1, 0, 1, 1, 0, 1], bool)
KINDS = {
    "": A, "-singular": S, "-nan": N, "-empty": A[:0], "-single": A.astype("f4"),
    "-complex": A + 1j, "-whole": np.arange(27).reshape(3, 3, 3) ** 2,
}


def cases(name, *more):
    return {
        name + kind: (lambda m=m: (m.copy(), *(x[: len(m)].copy() for x in more)))
        for kind, m in KINDS.items()
    }


CASES = {}
for name in ("masked", "skipped", "chosen_alone", "by_number", "guarded", "own_written", "twice",
             "replaced", "bound_in_branch", "order_of_list", "last_kept", "counted",
             "chosen_number"):
    CASES |= cases(name, OK)
    CASES[name + "-none"] = lambda: (A.copy(), np.zeros(6, bool))
    CASES[name + "-numbers"] = lambda: (A.copy(), np.array([2.0, 0, np.nan, 1, -1, 0]))
    CASES[name + "-list"] = lambda: (A.copy(), OK.tolist())
    CASES[name + "-twoaxes"] = lambda: (A.copy(), np.ones((6, 2), bool))
    CASES[name + "-oneaxis"] = lambda: (A.copy(), OK[:, None])
    CASES[name + "-short"] = lambda: (A.copy(), OK[:4])
    CASES[name + "-long"] = lambda: (A.copy(), np.ones(8, bool))
for name in ("singular_left_out", "either", "chosen_by_value", "stopped"):
    CASES |= cases(name)
CASES |= cases("three_ways", np.array([0, 1, 2, 0, 1, 2]))
CASES |= cases("total_of_some", RNG.random(6))
CASES |= {
    "argument_written": lambda: (A.copy(), OK.copy(), np.ones((6, 3, 3))),
    "argument_written-singular": lambda: (S.copy(), OK.copy(), np.ones((6, 3, 3))),
    "argument_written-whole": lambda: (A.copy(), OK.copy(), np.ones((6, 3, 3), int)),
    "argument_written-short": lambda: (A.copy(), OK.copy(), np.ones((4, 3, 3))),
    "listed": lambda: ([A[0], A[1][:2, :2], A[2], S[3], A[4]],),
    "listed-empty": lambda: ([],),
    "flag_of_all": lambda: (A.copy(), True),
    "flag_of_all-not": lambda: (A.copy(), False),
    "columns": lambda: (np.ascontiguousarray(A.transpose(1, 2, 0)), OK.copy()),
    "two_outputs": lambda: (A.copy(), A[:, 0].copy(), OK.copy()),
    "two_outputs-singular": lambda: (S.copy(), A[:, 0].copy(), OK.copy()),
}
