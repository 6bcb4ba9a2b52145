"""Conjugate gradients with operators that are made by a function."""
import numpy as np


def make_operator(matrix, shift):
    def apply(v):
        return matrix @ v + shift * v

    return apply


def cg(apply, b, callback=None, tol=1e-10):
    x = np.zeros_like(b)
    r = b - apply(x)
    p = r.copy()
    rs = r @ r
    for k in range(200):
        ap = apply(p)
        alpha = rs / (p @ ap)
        x += alpha * p
        r -= alpha * ap
        new = r @ r
        if callback is not None:
            callback(x)
        if np.sqrt(new) < tol:
            break
        p = r + (new / rs) * p
        rs = new
    return x


def main():
    rng = np.random.default_rng(3)
    m = rng.normal(size=(60, 60))
    spd = m @ m.T / 60
    b = rng.normal(size=60)
    history = []

    def keep(x):
        history.append(np.linalg.norm(b - spd @ x))

    first = cg(make_operator(spd, 1.0), b, keep)
    second = cg(make_operator(np.eye(60), 0.5), b)
    print(len(history), f"{history[-1]:.6f}")
    print(f"{np.abs(first).sum():.6f} {np.abs(second).sum():.6f}")


main()
