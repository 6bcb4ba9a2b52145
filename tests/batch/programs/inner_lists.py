"""Lists of matrices of several shapes with loops, conditions and own arrays within."""

import numpy as np


def ragged_powers(mats: list[np.ndarray], steps: int):
    out = []
    for m in mats:
        x = np.linalg.inv(m)
        for _ in range(steps):
            x = x @ m @ x
            x[0, 0] += 0.5
        out.append(x)
    return out


def ragged_eye(mats: list[np.ndarray]):
    out = []
    for m in mats:
        d = np.eye(len(m))
        d[0, 0] = np.linalg.det(m)
        out.append(d @ np.linalg.inv(m))
    return out


def fix(m, floor=0.5):
    w, v = np.linalg.eigh(m @ m.T)
    if w[0] < floor:
        w = w + floor
    s = np.zeros_like(m)
    for k in range(2):
        s = s + v @ np.diag(w ** k) @ v.T
    s[0] *= 2.0
    return s, w


def ragged_function(mats: list[np.ndarray]):
    return [fix(m) for m in mats]


def ragged_function_parts(mats: list[np.ndarray]):
    ss = []
    for m in mats:
        s, w = fix(m, 2.0)
        ss.append(s / w.max())
    return ss


def by_name(blocks: dict[str, np.ndarray]):
    found = {}
    for key, m in blocks.items():
        x = np.linalg.inv(m)
        for _ in range(2):
            x = x @ x
        found[key] = x
    return found


def function_over_stack(a: np.ndarray):
    out = np.empty_like(a)
    for i, m in enumerate(a):
        s, w = fix(m)
        out[i] = s
    return out


def written_when(a: np.ndarray, out: np.ndarray, low: float):
    for i in range(len(a)):
        m = a[i]
        if np.linalg.det(m) > low:
            x = np.linalg.inv(m)
            for _ in range(2):
                x = x @ x
            out[i] = x


def nested_choice(a: np.ndarray, ok: np.ndarray):
    out = np.zeros_like(a)
    for i in range(len(a)):
        x = np.linalg.pinv(a[i])
        if ok[i]:
            if x[0, 0] > 0:
                x = x * 2.0
            else:
                x = -x
            x[1, 1] = 9.0
        out[i] = x
    return out


def own_in_branch(a: np.ndarray, ok: np.ndarray):
    out = np.zeros_like(a)
    for i in range(len(a)):
        if ok[i]:
            d = np.eye(3)
            d[2, 2] = np.linalg.det(a[i])
            d[0] += a[i, 0]
            out[i] = d @ a[i]
        else:
            out[i, 0] = np.linalg.norm(a[i], axis=0)
    return out


def swap_names(a: np.ndarray):
    out = []
    for m in a:
        x, y = np.linalg.qr(m)
        for _ in range(3):
            x, y = y @ x, x
        out.append(x - y)
    return out


def alias_of_row(a: np.ndarray):
    out = []
    for m in a:
        u, s, vt = np.linalg.svd(m)
        last = vt[-1]
        if np.linalg.det(vt) < 0:
            vt[-1] *= -1
        out.append(np.abs(last @ vt.T))
    return out


def totals(a: np.ndarray):
    g, n = np.zeros((3, 3)), 0
    for m in a:
        x = np.linalg.inv(m)
        for k in range(3):
            x = x * 0.5
            g += x
            n += 1
    return g, n


def totals_some(a: np.ndarray, ok: np.ndarray):
    t = 0.0
    for i in range(len(a)):
        for k in range(3):
            if ok[i]:
                t += np.linalg.norm(a[i]) * k
    return t


RNG = np.random.default_rng(2)
A = RNG.normal(size=(6, 3, 3))
S = A.copy()
S[3] = 0
OK = np.array([1, 0, 1, 1, 0, 1], bool)
MATS = [RNG.normal(size=(n, n)) for n in (3, 2, 3, 4, 2)]
BAD = [MATS[0], MATS[1], np.zeros((3, 3)), MATS[2]]


def L(mats):
    return [m.copy() for m in mats]


CASES = {
    "ragged_powers": lambda: (L(MATS), 2), "ragged_powers-none": lambda: (L(MATS), 0),
    "ragged_powers-singular": lambda: (L(BAD), 2), "ragged_powers-empty": lambda: ([], 2),
    "ragged_powers-mixed": lambda: ([MATS[0], MATS[0].astype("f4"), MATS[2] + 1j], 2),
    "ragged_eye": lambda: (L(MATS),), "ragged_function": lambda: (L(MATS),),
    "ragged_function-empty": lambda: ([],), "ragged_function_parts": lambda: (L(MATS),),
    "by_name": lambda: ({"a": MATS[0].copy(), "b": MATS[1].copy(), "c": MATS[2].copy()},),
    "by_name-singular": lambda: ({"a": MATS[0].copy(), "b": np.zeros((2, 2))},),
    "function_over_stack": lambda: (A.copy(),), "function_over_stack-single": lambda: (A.astype("f4"),),
    "function_over_stack-complex": lambda: (A + 1j,), "function_over_stack-whole": lambda: ((A * 3).astype(int),),
    "written_when": lambda: (A.copy(), np.ones((6, 3, 3)), -0.1),
    "written_when-singular": lambda: (S.copy(), np.ones((6, 3, 3)), -0.1),
    "written_when-none": lambda: (S.copy(), np.ones((6, 3, 3)), 1e9),
    "nested_choice": lambda: (A.copy(), OK.copy()), "nested_choice-singular": lambda: (S.copy(), OK.copy()),
    "own_in_branch": lambda: (A.copy(), OK.copy()), "own_in_branch-single": lambda: (A.astype("f4"), OK.copy()),
    "swap_names": lambda: (A.copy(),), "alias_of_row": lambda: (A.copy(),),
    "totals": lambda: (A.copy(),), "totals-singular": lambda: (S.copy(),), "totals-empty": lambda: (A[:0],),
    "totals_some": lambda: (A.copy(), OK.copy()), "totals_some-none": lambda: (A.copy(), OK & False),
}
