import numpy as np


def levels(image: np.ndarray, n: int):
    pyramid = [np.sqrt(image)]
    for _ in range(n):
        pyramid.append(pyramid[-1][::2, ::2] * 2)
    return pyramid


def stats(x: np.ndarray):
    return {"mean": np.mean(x, axis=0), "std": np.std(x, axis=0)}


def parts(x: np.ndarray):
    u, s, vt = np.linalg.svd(x)
    return (u * s) @ vt, s
