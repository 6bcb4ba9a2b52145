import numpy as np


def smoothed(states: np.ndarray, gain: np.ndarray) -> np.ndarray:
    out = np.empty_like(states)
    p = np.eye(3)
    for i in range(len(states)):
        p = gain @ p @ np.linalg.inv(states[i])
        out[i] = p
    return out


def some(matrices: np.ndarray, wanted) -> np.ndarray:
    out = np.zeros_like(matrices)
    for i in range(len(matrices)):
        if wanted[i]:
            out[i] = np.linalg.inv(matrices[i])
    return out


def last(matrices: np.ndarray) -> np.ndarray:
    found = []
    for m in matrices:
        inverse = np.linalg.inv(m)
        found.append(inverse)
    return inverse
