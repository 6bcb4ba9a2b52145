"""Conjugate gradients: the step is a number of the device, what it scales are arrays."""
import numpy as np


def solve(a: np.ndarray, b: np.ndarray, steps=10):
    x = np.zeros_like(b)
    r = b - a @ x
    p = r.copy()
    rs = r @ r
    for _ in range(steps):
        ap = a @ p
        alpha = rs / (p @ ap)
        x += alpha * p
        r -= alpha * ap
        new = r @ r
        p = r + (new / rs) * p
        rs = new
    return x


if __name__ == "__main__":
    print(np.round(solve(np.eye(300) * 2 + 0.001, np.linspace(0.0, 1.0, 300))[:4], 8))
