import numpy as np

R = np.random.default_rng(7)
A = R.normal(size=(5, 3, 3)) + 3 * np.eye(3)
B = R.normal(size=(5, 3))
S = A.copy()
S[3] = 0
N = A.copy()
N[1, 0, 0] = np.nan
EPS = 1e-3
TABLE = np.eye(3)
COUNT = 0


def symmetric(m):
    """What is symmetric of a matrix."""
    half = 0.5 * (m + m.T)  # the mean
    return half


def root(m, floor=EPS):
    w, v = np.linalg.eigh(m @ m.T)
    return (v * np.sqrt(np.maximum(w, floor))) @ v.T


def solved(m, b):
    return np.linalg.solve(m, b)


def both(m, b):
    x = np.linalg.solve(m, b)
    return x, np.linalg.norm(m @ x - b)


def decomposed(m):
    return np.linalg.svd(m, full_matrices=False)


def ridge(m, b, lam=EPS, *, scale=2.0):
    gram = m.T @ m
    n = m.shape[1]
    return np.linalg.solve(gram + lam * scale * np.eye(n), m.T @ b)


def rebound(m):
    m = m - m.mean(axis=0)
    m = m.T @ m
    return np.linalg.det(m)


def several_lines(m, b):
    x = np.linalg.solve(
        m,  # the matrix
        b,
    )
    y = (
        x
        + 1
    )
    return y


def with_condition(m):
    if m[0, 0] > 0:
        return np.linalg.inv(m)
    return m


def in_place(m):
    m += 1
    return np.linalg.inv(m)


def stores(m):
    m[0, 0] = 5
    return np.linalg.inv(m)


def prints(m):
    print("inverse")
    return np.linalg.inv(m)


def counts(m):
    global COUNT
    COUNT = COUNT + 1
    return np.linalg.inv(m)


def uses_table(m):
    return np.linalg.inv(m) @ TABLE


def own_again(m):
    return own_again(m) if len(m) > 3 else np.linalg.inv(m)


def transposed(m):
    return np.dot(m, m).T


def constant(m):
    return np.linalg.inv(np.eye(3))


if EPS:
    def indented(m):
        return np.linalg.inv(m)


def outer(m):
    return root(m) @ m


def cp(m):
    return m


def loop(a: np.ndarray):
    out = np.zeros_like(a)
    for i in range(len(a)):
        out[i] = root(a[i])
    return out


def listed(a: np.ndarray):
    return [root(m, 1.0) for m in a]


def keyword(a: np.ndarray):
    return [root(floor=0.5, m=m) for m in a]


def wrong_keyword(a: np.ndarray):
    return [root(m, ceiling=0.5) for m in a]


def ragged(ms: list[np.ndarray]):
    return [root(m) for m in ms]


def systems(a: np.ndarray, b: np.ndarray):
    out = np.zeros_like(b)
    for i in range(len(a)):
        out[i] = solved(a[i], b[i])
    return out


def systems_into(a: np.ndarray, b: np.ndarray, out: np.ndarray):
    for i in range(len(a)):
        out[i] = solved(a[i], b[i])


def pairs(a: np.ndarray, b: np.ndarray):
    xs, ns = [], []
    for m, y in zip(a, b):
        x, n = both(m, y)
        xs.append(x)
        ns.append(float(n))
    return xs, ns


def stored_pairs(a: np.ndarray, b: np.ndarray):
    xs, ns = np.zeros_like(b), np.zeros(len(a))
    for i in range(len(a)):
        xs[i], ns[i] = both(a[i], b[i])
    return xs, ns


def swapped(a: np.ndarray, b: np.ndarray):
    ns = np.zeros(len(a))
    for i in range(len(a)):
        b[i], ns[i] = both(a[i], b[i])
    return ns


def decompositions(a: np.ndarray):
    us, ss = [], []
    for m in a:
        u, s, vt = decomposed(m)
        us.append(abs(u))
        ss.append(s)
    return us, ss


def ridges(a: np.ndarray, b: np.ndarray, lam: float):
    return [ridge(m, y, lam) for m, y in zip(a, b)]


def ridges_scaled(a: np.ndarray, b: np.ndarray, lam: float):
    return [ridge(m, y, scale=3.0, lam=lam) for m, y in zip(a, b)]


def same_matrix(m: np.ndarray, b: np.ndarray):
    return [ridge(m, y) for y in b]


def determinants(a: np.ndarray):
    return np.array([rebound(m) for m in a])


def lines(a: np.ndarray, b: np.ndarray):
    return [several_lines(m, y) for m, y in zip(a, b)]


def total(a: np.ndarray):
    total = np.zeros((3, 3))
    for m in a:
        total += root(m)
    return total


def conditions(a: np.ndarray):
    return [with_condition(m) for m in a]


def changed(a: np.ndarray):
    return [in_place(m) for m in a], a


def stored(a: np.ndarray):
    return [stores(m) for m in a], a


def printed(a: np.ndarray):
    return [prints(m) for m in a]


def counted(a: np.ndarray):
    return [counts(m) for m in a]


def tables(a: np.ndarray):
    return [uses_table(m) for m in a]


def recursive(a: np.ndarray):
    return [own_again(m) for m in a]


def turned(a: np.ndarray):
    return [transposed(m) for m in a]


def constants(a: np.ndarray):
    return [constant(m) for m in a]


def indents(a: np.ndarray):
    return [indented(m) for m in a]


def outers(a: np.ndarray):
    return [outer(m) for m in a]


def symmetrics(a: np.ndarray):
    return [symmetric(m) @ cp(m) for m in a]


def by_name(blocks: dict[str, np.ndarray]):
    return {key: root(m) for key, m in blocks.items()}


def along_last(a: np.ndarray):
    out = np.zeros_like(a)
    for k in range(a.shape[2]):
        out[:, :, k] = root(a[:, :, k])
    return out


RAGGED = [R.normal(size=(n, n)) + n * np.eye(n) for n in (2, 3, 2, 4)]
CASES = {
    **{name: lambda: (A.copy(),) for name in (
        "loop", "listed", "keyword", "wrong_keyword", "decompositions", "determinants", "total",
        "conditions", "changed", "stored", "printed", "counted", "tables", "recursive", "turned",
        "constants", "indents", "outers", "symmetrics", "along_last")},
    **{name: lambda: (A.copy(), B.copy()) for name in (
        "systems", "pairs", "stored_pairs", "swapped", "lines")},
    "loop-none": lambda: (A[:0],), "loop-nan": lambda: (N.copy(),), "loop-single": lambda: (A.astype("f4"),),
    "loop-vectors": lambda: (B.copy(),), "loop-complex": lambda: (A + 1j,),
    "loop-whole": lambda: (A.astype(int),), "listed-nan": lambda: (N.copy(),),
    "ragged": lambda: ([m.copy() for m in RAGGED],), "ragged-none": lambda: ([],),
    "systems-matrices": lambda: (A.copy(), A[::-1].copy()), "systems-singular": lambda: (S.copy(), B.copy()),
    "systems-short": lambda: (A.copy(), B[:3].copy()),
    "systems_into": lambda: (A.copy(), B.copy(), np.zeros_like(B)),
    "systems_into-singular": lambda: (S.copy(), B.copy(), np.zeros_like(B)),
    "systems_into-itself": lambda: (lambda b: (A.copy(), b, b))(B.copy()),
    "pairs-singular": lambda: (S.copy(), B.copy()), "swapped-singular": lambda: (S.copy(), B.copy()),
    "stored_pairs-matrices": lambda: (A.copy(), A.copy()),
    "ridges": lambda: (A.copy(), B.copy(), 0.1), "ridges-whole": lambda: (A.copy(), B.copy(), 1),
    "ridges-array": lambda: (A.copy(), B.copy(), np.ones((3, 3))),
    "ridges_scaled": lambda: (A.copy(), B.copy(), 0.1), "same_matrix": lambda: (A[0].copy(), B.copy()),
    "by_name": lambda: ({"a": A[0].copy(), "b": A[1].copy()},),
}
