import numpy as np

R = np.random.default_rng(1)
X = R.normal(size=(6, 4))
P = np.array([a @ a.T + np.eye(4) for a in R.normal(size=(6, 4, 4))])
Z = R.normal(size=(6, 2))
H = R.normal(size=(2, 4))
NOISE = np.eye(2) * 0.1
SAMPLES = R.normal(size=(30, 4))
INDEFINITE = P.copy()
INDEFINITE[1] = -np.eye(4)
TALL = [R.normal(size=(n, 3)) for n in (5, 6, 5)]
RIGHT = [R.normal(size=len(x)) for x in TALL]
SINGULAR = [TALL[0], np.zeros((5, 3)), TALL[2]]


def kalman_update(x, p, z, h, noise):
    y = z - h @ x
    s = h @ p @ h.T + noise
    k = p @ h.T @ np.linalg.inv(s)
    return x + k @ y, (np.eye(len(x)) - k @ h) @ p


def tuples_of_results(
    xs: list[np.ndarray], ps: list[np.ndarray], zs: list[np.ndarray], h: np.ndarray,
    noise: np.ndarray,
):  # fmt: skip
    out = []
    for x, p, z in zip(xs, ps, zs):
        out.append(kalman_update(x, p, z, h, noise))
    return out


def tuples_of_stacks(
    xs: np.ndarray, ps: np.ndarray, zs: np.ndarray, h: np.ndarray, noise: np.ndarray
):
    return [kalman_update(x, p, z, h, noise) for x, p, z in zip(xs, ps, zs)]


def into_arrays(xs: np.ndarray, ps: np.ndarray, zs: np.ndarray, h: np.ndarray, noise: np.ndarray):
    moved = np.empty_like(xs)
    spread = np.empty_like(ps)
    for i in range(xs.shape[0]):
        moved[i], spread[i] = kalman_update(xs[i], ps[i], zs[i], h, noise)
    return moved, spread


def distances(samples: np.ndarray, means: list[np.ndarray], covs: list[np.ndarray]):
    d = np.empty((len(means), samples.shape[0]))
    for k, (mu, cov) in enumerate(zip(means, covs)):
        diff = samples - mu
        d[k] = np.sqrt(np.sum(diff @ np.linalg.inv(cov) * diff, axis=1))
    return d.argmin(axis=0)


def likelihoods(x: np.ndarray, weights: np.ndarray, means: np.ndarray, covs: np.ndarray):
    n, d = x.shape
    out = np.zeros((n, len(weights)))
    for k in range(len(weights)):
        low = np.linalg.cholesky(covs[k])
        y = np.linalg.solve(low, (x - means[k]).T)
        size = 2.0 * np.sum(np.log(np.diag(low)))
        out[:, k] = np.log(weights[k]) - 0.5 * (d * np.log(2 * np.pi) + size + (y * y).sum(axis=0))
    return out


def dict_by_number(xs: list[np.ndarray], ys: list[np.ndarray], lam: float):
    found = {}
    for g, (x, y) in enumerate(zip(xs, ys)):
        p = x.shape[1]
        found[g] = np.linalg.solve(x.T @ x + lam * np.eye(p), x.T @ y)
    return found


def dict_of_stack(xs: np.ndarray):
    found = {}
    for g, x in enumerate(xs):
        found[g] = np.linalg.inv(x)
    return found


def dict_with_entries(xs: np.ndarray):
    found = {-1: np.eye(4), 2: np.eye(4)}
    for g, x in enumerate(xs):
        found[g] = np.linalg.inv(x)
    return found


def dict_of_caller(xs: np.ndarray, found: dict[int, np.ndarray]):
    for g, x in enumerate(xs):
        found[g] = np.linalg.inv(x)
    return found


def side_by_side(xs: np.ndarray, ps: np.ndarray, zs: np.ndarray, h: np.ndarray, noise: np.ndarray):
    for i in range(len(xs)):
        x, p = kalman_update(xs[i], ps[i], zs[i], h, noise)
        xs[i], ps[i] = x, p
    return xs, ps


def swapped(ps: np.ndarray, qs: np.ndarray, v: np.ndarray, w: np.ndarray):
    for i in range(len(ps)):
        v[i] = np.linalg.det(ps[i])
        v[i], w[i] = w[i], v[i]
        ps[i], qs[i] = np.linalg.inv(qs[i]), np.linalg.inv(ps[i])
    return ps, qs, v, w


CASES = {
    "side_by_side": lambda: (X.copy(), P.copy(), Z, H, NOISE),
    "swapped": lambda: (P.copy(), P + np.eye(4), np.zeros(6), np.arange(6.0)),
    "tuples_of_results": lambda: (list(X), list(P), list(Z), H, NOISE),
    "tuples_of_results-empty": lambda: ([], [], [], H, NOISE),
    "tuples_of_results-ragged": lambda: (list(X), list(P), list(Z[:4]), H, NOISE),
    "tuples_of_stacks": lambda: (X.copy(), P.copy(), Z.copy(), H, NOISE),
    "tuples_of_stacks-one": lambda: (X[:1], P[:1], Z[:1], H, NOISE),
    "into_arrays": lambda: (X.copy(), P.copy(), Z.copy(), H, NOISE),
    "into_arrays-complex": lambda: (X + 1j, P + 0j, Z + 0j, H, NOISE),
    "into_arrays-numbers": lambda: (X.copy(), P.copy(), Z.copy(), H, np.array(0.5)),
    "distances": lambda: (SAMPLES, list(X[:3]), list(P[:3])),
    "distances-singular": lambda: (SAMPLES, list(X[:3]), [P[0], 0 * P[1], P[2]]),
    "likelihoods": lambda: (SAMPLES, np.array([0.2, 0.3, 0.5]), X[:3], P[:3]),
    "likelihoods-indefinite": lambda: (SAMPLES, np.array([0.2, 0.3, 0.5]), X[:3], INDEFINITE[:3]),
    "dict_by_number": lambda: (TALL, RIGHT, 0.5),
    "dict_by_number-empty": lambda: ([], [], 0.5),
    "dict_by_number-singular": lambda: (SINGULAR, RIGHT, 0.0),
    "dict_of_stack": lambda: (P.copy(),),
    "dict_of_stack-float32": lambda: (P.astype(np.float32),),
    "dict_with_entries": lambda: (P.copy(),),
    "dict_of_caller": lambda: (P.copy(), {7: P[0]}),
}
