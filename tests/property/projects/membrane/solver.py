"""Preconditioned conjugate gradients."""
import numpy as np


def dot(a, b):
    return float(np.sum(a * b))


def conjugate_gradients(operator, preconditioner, rhs, tolerance=1e-10, limit=500, hook=None):
    x = np.zeros_like(rhs)
    r = rhs - operator(x)
    z = preconditioner(r)
    p = z.copy()
    rz = dot(r, z)
    for k in range(limit):
        ap = operator(p)
        alpha = rz / dot(p, ap)
        x += alpha * p
        r -= alpha * ap
        if hook is not None:
            hook(k, np.linalg.norm(r))
        if np.sqrt(dot(r, r)) < tolerance:
            break
        z = preconditioner(r)
        previous, rz = rz, dot(r, z)
        p = z + (rz / previous) * p
    return x, k
