import cupy as cp
import numpy as np
from gpuport.runtime import device


@device("y")
def joined(y: np.ndarray):
    a = cp.sqrt(y) / 2
    a += 3
    return cp.concatenate([y, a])


@device("y")
def drawn(y: np.ndarray, seed: int):
    rng = np.random.default_rng(seed)
    z = cp.asarray(rng.random(len(y)))
    a = cp.sqrt(cp.exp(y))
    return cp.hstack((a, z))


@device("y")
def in_loop(y: np.ndarray, n: int):
    out = y * 1.0
    for k in range(n):
        tail = cp.exp(out[-2:])
        tail *= 0.5
        out = cp.concatenate([out, tail])
    out[0] = 7.0
    return out


@device("y", writes="y")
def shared(y: np.ndarray):
    rows = [y, cp.exp(y)]
    rows[0][0] = 4.0
    return cp.stack(rows)


@device("y")
def viewed(y: np.ndarray):
    head = y[:3]
    made = cp.concatenate((head, cp.exp(head)))
    made[0] = 5.0
    return made, y.sum()
