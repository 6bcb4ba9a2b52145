import numpy as np


def norm(x: np.ndarray, axis: int | None = None, *, keep: bool = False, order=2):
    return np.sum(np.abs(x) ** order, axis=axis, keepdims=keep)
