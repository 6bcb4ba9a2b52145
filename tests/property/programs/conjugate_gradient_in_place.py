import numpy as np


def cg(A: np.ndarray, b: np.ndarray, tol=1e-10, maxit=50):
    x = np.zeros_like(b)
    r = b - A @ x
    p = r.copy()
    rs = r @ r
    for it in range(maxit):
        ap = A @ p
        alpha = rs / (p @ ap)
        x += alpha * p
        r -= alpha * ap
        new = r @ r
        if np.sqrt(new) < tol:
            break
        p = r + (new / rs) * p
        rs = new
    return x


if __name__ == "__main__":
    A = np.eye(300) * 2 + 0.001
    b = np.linspace(0, 1, 300)
    print(np.round(cg(A, b)[:4], 8))
