import numpy as np


def project(a: np.ndarray, b: np.ndarray):
    gram = a.T @ a
    return np.linalg.solve(gram, a.T @ b), np.dot(a, gram), np.outer(b, b)
