"""Numbers of Python's in the bodies of loops: bounds, places from another number on, displays."""
import numpy as np

SCALE = -2.7


def bounded(ms: np.ndarray):
    out = np.zeros(len(ms))
    for i, m in enumerate(ms):
        w = np.linalg.eigvalsh(m)
        gap = max(0.0, w[1] - w[0])
        out[i] = np.sqrt(gap) / max(w[2], 1e-12)
    return out


def other_way_round(ms: np.ndarray, most: float):
    out = np.zeros(len(ms))
    for i, m in enumerate(ms):
        out[i] = -min(np.linalg.det(m), most) * 2.0
    return out


def collected(ms: np.ndarray):
    return [max(0.0, np.linalg.det(m)) for m in ms]


def collected_floats(ms: np.ndarray):
    return [float(max(0.0, np.linalg.det(m))) for m in ms]


def divided(ms: np.ndarray):
    out = np.zeros(len(ms))
    for i, m in enumerate(ms):
        out[i] = 1.0 / max(0.0, np.linalg.det(m))
    return out


def powered(ms: np.ndarray):
    out = np.zeros(len(ms))
    for i, m in enumerate(ms):
        out[i] = max(0.0, np.linalg.det(m)) ** -1
    return out


def squared(ms: np.ndarray):
    out = np.zeros(len(ms))
    for i, m in enumerate(ms):
        out[i] = max(0.0, np.linalg.det(m)) ** 2
    return out


def greater_one(ms: np.ndarray):
    out = np.zeros(len(ms))
    for i, m in enumerate(ms):
        out[i] = max(np.linalg.det(m), np.linalg.norm(m))
    return out


def from_one(ms: np.ndarray):
    out = np.zeros(len(ms) + 1)
    for k, m in enumerate(ms, start=1):
        out[k] = out[0] + np.linalg.det(m)
    return out


def one_before(ms: np.ndarray):
    out = np.zeros(len(ms))
    for k, m in enumerate(ms, 1):
        out[k - 1] = np.linalg.det(m)
    return out


def numbers(ms: np.ndarray):
    return [(k, np.linalg.det(m)) for k, m in enumerate(ms, 5)]


def into_dict(ms: np.ndarray):
    found = {}
    for k, m in enumerate(ms, 1):
        found[k] = np.linalg.inv(m)
    return found


def of_list(ms: list[np.ndarray]):
    out = np.zeros(len(ms) + 2)
    for k, m in enumerate(ms, 2):
        out[k] = np.linalg.det(m)
    return out


def too_short(ms: np.ndarray, out: np.ndarray):
    for k, m in enumerate(ms, 1):
        out[k] = np.linalg.det(m)


def hamiltonian(kx: float, ky: float):
    f = 1 + np.exp(1j * kx) + np.exp(1j * ky)
    return np.array([[0.0, SCALE * f], [SCALE * np.conj(f), 0.0]])


def bands(ks: np.ndarray):
    energies = []
    for kx, ky in ks:
        energies.append(np.linalg.eigvalsh(hamiltonian(kx, ky)))
    return np.array(energies)


def summed(ms: list[np.ndarray]):
    total = 0
    for m in ms:
        total = total + m @ m.T
    return total


def summed_in_place(ms: np.ndarray):
    total = 0
    for i in range(ms.shape[0]):
        total += ms[i, :, :] @ ms[i, :, :].T
    return total


def _some(n=5, k=3, dtype=float):
    a = np.random.default_rng(0).normal(size=(n, k, k))
    return a.astype(dtype)


def _signs():
    return _some() * np.array([1, -1, 0, 1, np.nan])[:, None, None]


CASES = {
    "bounded": lambda: (_some(),),
    "bounded-single": lambda: (_some(dtype=np.float32),),
    "other_way_round": lambda: (_signs(), 0.5),
    "other_way_round-nan": lambda: (_signs(), np.nan),
    "collected": lambda: (_signs(),),
    "collected_floats": lambda: (_signs(),),
    "divided": lambda: (_signs(),),
    "divided-positive": lambda: (_some() + 9 * np.eye(3),),
    "powered": lambda: (_signs(),),
    "squared": lambda: (_signs(),),
    "squared-single": lambda: (_some(dtype=np.float32),),
    "greater_one": lambda: (_signs(),),
    "from_one": lambda: (_some(),),
    "from_one-none": lambda: (_some(0),),
    "one_before": lambda: (_some(),),
    "numbers": lambda: (_some(),),
    "into_dict": lambda: (_some(),),
    "of_list": lambda: ([*_some(2), *_some(2, 4)],),
    "too_short": lambda: (_some(), np.zeros(5)),
    "too_short-longer": lambda: (_some(), np.zeros(9)),
    "bands": lambda: (_some()[0, :, :2],),
    "bands-single": lambda: (_some(dtype=np.float32)[0, :, :2],),
    "bands-three": lambda: (_some()[0],),
    "bands-list": lambda: ([(0.1, 0.2), (0.3, 0.4)],),
    "bands-none": lambda: (np.zeros((0, 2)),),
    "summed": lambda: (list(_some()),),
    "summed-none": lambda: ([],),
    "summed-ragged": lambda: ([*_some(2), *_some(2, 4)],),
    "summed_in_place": lambda: (_some(),),
    "summed_in_place-whole": lambda: ((9 * _some()).astype(int),),
}
