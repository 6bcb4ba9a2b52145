import sys

import numpy as np


def line_search(f, x, p, g, alpha=1.0):
    fx = f(x)
    slope = g @ p
    while f(x + alpha * p) > fx + 1e-4 * alpha * slope:
        alpha *= 0.5
    return alpha


def bfgs(f, grad, x0, maxiter=60, gtol=1e-6):
    x = x0.copy()
    n = x.size
    H = np.eye(n)
    g = grad(x)
    for k in range(maxiter):
        if np.linalg.norm(g) < gtol:
            break
        p = -H @ g
        a = line_search(f, x, p, g)
        s = a * p
        x_new = x + s
        g_new = grad(x_new)
        y = g_new - g
        sy = s @ y
        if sy > 1e-10:
            rho = 1.0 / sy
            I = np.eye(n)
            H = (I - rho * np.outer(s, y)) @ H @ (I - rho * np.outer(y, s)) + rho * np.outer(s, s)
        x, g = x_new, g_new
    return x


if __name__ == "__main__":
    c = np.array([1.0, 2.0, 3.0])
    x = bfgs(lambda x: np.sum((x - c) ** 4), lambda x: 4 * (x - c) ** 3, np.zeros(3))
    np.savez(sys.argv[1], x=x)
