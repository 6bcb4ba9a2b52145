import sys

import numpy as np


def cg(A, b, x=None):
    if x is None:
        x = np.zeros_like(b)
    r = b - A @ x
    p = r.copy()
    rs = r @ r
    for it in range(len(b) * 2):
        Ap = A @ p
        alpha = rs / (p @ Ap)
        x += alpha * p
        r -= alpha * Ap
        new = r @ r
        if np.sqrt(new) < 1e-10:
            break
        p = r + (new / rs) * p
        rs = new
    return x, it


def main():
    rng = np.random.default_rng(0)
    M = rng.random((8, 8))
    A = M @ M.T + 8 * np.eye(8)
    b = rng.random(8)
    x, it = cg(A, b)
    np.savez(sys.argv[1], x=x, it=it)


if __name__ == "__main__":
    main()
