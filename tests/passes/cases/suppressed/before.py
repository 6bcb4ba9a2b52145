import numpy as np


def whole(x):  # gpuport: skip
    return np.sin(x)


class Kept:  # gpuport: skip
    def method(self, x):
        return np.sin(x)


def quiet(x: np.ndarray):
    return np.sin(np.linalg.svd(x, compute_uv=False))  # gpuport: ignore[GP505]
