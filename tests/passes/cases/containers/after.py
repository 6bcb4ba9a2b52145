import cupy as cp
import numpy as np
from gpuport.runtime import device


@device("image")
def levels(image: np.ndarray, n: int):
    pyramid = [cp.sqrt(image)]
    for _ in range(n):
        pyramid.append(pyramid[-1][::2, ::2] * 2)
    return pyramid


@device("x", from_size=1_000_000)
def stats(x: np.ndarray):
    return {"mean": cp.mean(x, axis=0), "std": cp.std(x, axis=0)}


@device("x")
def parts(x: np.ndarray):
    u, s, vt = cp.linalg.svd(x)
    return (u * s) @ vt, s
