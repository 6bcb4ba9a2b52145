import numpy as np
import sys
def sqdist(a, b):
    return np.maximum((a * a).sum(1)[:, None] + (b * b).sum(1) - 2 * a @ b.T, 0)
def start(x, k):
    return np.array([x[3 * j] for j in range(k)])
def kmeans(x, k, tol=1e-8, max_iter=50):
    c = start(x, k)
    prev = np.inf
    for it in range(max_iter):
        d = sqdist(x, c)
        labels = d.argmin(axis=1)
        inertia = d[np.arange(len(x)), labels].sum()
        for j in range(k):
            members = x[labels == j]
            if len(members):
                c[j] = members.mean(axis=0)
        if prev - inertia < tol:
            break
        prev = inertia
    return c, labels, inertia, it
def scale(x: np.ndarray):
    return x / np.linalg.norm(x, axis=1, keepdims=True)
def main(out):
    rng = np.random.default_rng(0)
    x = scale(rng.random((60, 4)))
    c, labels, inertia, it = kmeans(x, 3)
    print(f"{inertia:.6f} {it}")
    np.savez(out, c=c, labels=labels, d=sqdist(x, x), e=np.sqrt(sqdist(x, x)), f=np.exp(x))
main(sys.argv[1])
