import sys
import numpy as np

A = np.eye(50) * 2 + 0.01
b = np.ones(50)
TOL = 1e-10
MAXIT = 100
residuals = []
x = None
verbose = "-v" in sys.argv


def matvec(v):
    return A @ v


def cg():
    global x
    x = np.zeros_like(b)
    r = b - matvec(x)
    p = r.copy()
    rs = r @ r
    for it in range(MAXIT):
        ap = matvec(p)
        alpha = rs / (p @ ap)
        x += alpha * p
        r -= alpha * ap
        new = r @ r
        residuals.append(float(np.sqrt(new)))
        if np.sqrt(new) < TOL:
            break
        p = r + (new / rs) * p
        rs = new
    return it


def check():
    return np.linalg.norm(A @ x - b) < 1e-8


if __name__ == "__main__":
    n = cg()
    print(n, check(), len(residuals), x[:2].round(8))
    if verbose:
        print(residuals)
    del residuals
