"""Vectors of numbers that lie on the host: they cross as a whole."""
import numpy as np


def ridge(x: np.ndarray, y: np.ndarray, penalty: float):
    return np.linalg.solve(x.T @ x + penalty * np.eye(x.shape[1]), x.T @ y)


def path(x: np.ndarray, y: np.ndarray, penalties: np.ndarray):
    return np.stack([ridge(x, y, p) for p in penalties])


def evidence(k: np.ndarray, y: np.ndarray, noise: float):
    c = np.linalg.cholesky(k + noise**2 * np.eye(len(k)))
    z = np.linalg.solve(c, y)
    return -0.5 * z @ z - np.log(np.diag(c)).sum() - 0.5 * len(y) * np.log(2 * np.pi)


def grid(k: np.ndarray, y: np.ndarray, scales, noises: np.ndarray):
    found = np.zeros((len(scales), len(noises)))
    for i in range(len(scales)):
        scale = float(scales[i])
        for j, noise in enumerate(noises):
            found[i, j] = evidence(scale * k, y, noise)
    return found


def _system(dtype=float):
    rng = np.random.default_rng(0)
    return rng.normal(size=(9, 3)).astype(dtype), rng.normal(size=9).astype(dtype)


def _kernel():
    x = np.linspace(0, 1, 6)
    return np.exp(-((x[:, None] - x) ** 2)), np.sin(5 * x)


CASES = {
    "path": lambda: (*_system(), np.logspace(-2, 1, 4)),
    "path-single": lambda: (*_system(np.float32), np.logspace(-2, 1, 4)),
    "path-both_single": lambda: (*_system(np.float32), np.logspace(-2, 1, 4, dtype=np.float32)),
    "path-list": lambda: (*_system(), [0.1, 1.0]),
    "path-whole": lambda: (*_system(), np.arange(1, 4)),
    "path-singular": lambda: (np.zeros((9, 3)), np.ones(9), np.array([1.0, 0.0, 2.0])),
    "path-none": lambda: (*_system(), np.zeros(0)),
    "path-columns": lambda: (*_system(), np.ones((2, 3))),
    "path-objects": lambda: (*_system(), np.array([1.0, 2.0], dtype=object)),
    "grid": lambda: (*_kernel(), np.array([0.5, 1.0]), np.array([0.1, 0.2, 0.4])),
    "grid-lists": lambda: (*_kernel(), [0.5, 1.0], [0.1, 0.2, 0.4]),
    "grid-indefinite": lambda: (*_kernel(), np.array([0.5, -1.0]), np.array([0.1, 0.2, 0.4])),
}
