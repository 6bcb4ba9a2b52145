import numpy as np

R = np.random.default_rng(3)
M = [R.normal(size=(3, 3)) for _ in range(5)]
V = R.normal(size=3)
N = R.normal(size=(4, 3))


def products(ms: list[np.ndarray], v: np.ndarray):
    return [np.tensordot(m, v, axes=1) for m in ms]


def sandwiches(ms: list[np.ndarray], n: np.ndarray):
    out = []
    for m in ms:
        out.append(np.tensordot(np.tensordot(n, m, 1), n.T, axes=1))
    return np.array(out)


def rows(a: np.ndarray, b: np.ndarray):
    return np.stack([np.tensordot(x, b, axes=1) for x in a])


CASES = {
    "products": lambda: (list(M), V.copy()), "products-matrix": lambda: (list(M), M[0].copy()),
    "products-ragged": lambda: ([M[0], M[1][:2], M[2]], V.copy()), "products-none": lambda: ([], V.copy()),
    "products-mismatch": lambda: (list(M), V[:2].copy()),
    "products-cubes": lambda: ([np.ones((2, 2, 3)) * m[0] for m in M], V.copy()),
    "products-whole": lambda: ([(m * 9).astype(int) for m in M], np.arange(3)),
    "products-mixed": lambda: ([M[0].astype("f4"), M[1], M[2] + 1j], V.copy()),
    "sandwiches": lambda: (list(M), N.copy()), "sandwiches-vector": lambda: (list(M), V.copy()),
    "rows": lambda: (np.array(M), V.copy()), "rows-vectors": lambda: (np.array(M)[0].copy(), M[0].copy()),
}
