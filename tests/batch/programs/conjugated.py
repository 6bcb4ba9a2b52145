import numpy as np

R = np.random.default_rng(5)
C = np.array([m @ m.conj().T + np.eye(3) for m in R.normal(size=(6, 3, 3)) + 1j * R.normal(size=(6, 3, 3))])
S = np.exp(1j * np.arange(3.0))


def weights(cov: np.ndarray, steer: np.ndarray):
    found = np.zeros((len(cov), len(steer)), dtype=complex)
    gain = np.zeros(len(cov))
    for g, r in enumerate(cov):
        w = np.linalg.solve(r, steer)
        w /= np.vdot(steer, w)
        found[g] = w
        gain[g] = np.real(np.trace(r)) / np.real(np.vdot(w, r @ w))
    return found, gain


def between(a: np.ndarray, b: np.ndarray):
    return np.array([np.vdot(np.linalg.eigvalsh(m), v) for m, v in zip(a, b)])


def of_matrices(a: np.ndarray, b: np.ndarray):
    return np.array([np.vdot(np.linalg.inv(m), b) for m in a])


CASES = {
    "weights": lambda: (C.copy(), S.copy()),
    "weights-float": lambda: (C.real.copy(), S.real.copy()),
    "weights-none": lambda: (C[:0].copy(), S.copy()),
    "between": lambda: (C.real.copy(), C.real[:, 0].copy()),
    "between-complex": lambda: (C.copy(), C[:, 0].copy()),
    "of_matrices": lambda: (C.copy(), C[0].copy()),
}
