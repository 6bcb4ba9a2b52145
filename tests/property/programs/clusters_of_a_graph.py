"""Spectral clustering with k-means++ and scores."""
import numpy as np
from itertools import combinations


def blobs(rng, centers, n, s):
    return np.concatenate([c + s * rng.standard_normal((n, len(c))) for c in centers])


def affinity(X, sigma, k=8):
    sq = (X**2).sum(1)
    d2 = np.maximum(sq[:, None] + sq[None, :] - 2 * X @ X.T, 0)
    W = np.exp(-d2 / (2 * sigma**2))
    keep = np.argsort(d2, axis=1, kind="stable")[:, 1 : k + 1]
    M = np.zeros_like(W, dtype=bool)
    np.put_along_axis(M, keep, True, axis=1)
    M |= M.T
    return np.where(M, W, 0)


def embed(W, k):
    d = W.sum(axis=1)
    inv = 1 / np.sqrt(d)
    L = np.eye(len(W)) - inv[:, None] * W * inv
    vals, vecs = np.linalg.eigh(L)
    U = vecs[:, :k]
    U *= np.sign(U[np.abs(U).argmax(axis=0), np.arange(k)])
    return vals[: k + 2], U / np.linalg.norm(U, axis=1, keepdims=True)


def kmeans(U, k, rng, iters=50):
    centers = [U[rng.integers(len(U))]]
    while len(centers) < k:
        d = np.min([((U - c) ** 2).sum(1) for c in centers], axis=0)
        centers.append(U[np.argmax(d)])
    C = np.array(centers)
    for _ in range(iters):
        d = ((U[:, None] - C[None]) ** 2).sum(-1)
        label = d.argmin(1)
        new = np.array([U[label == j].mean(0) if (label == j).any() else C[j] for j in range(k)])
        if np.allclose(new, C):
            break
        C = new
    return label, C


def rand_index(a, b):
    same = sum((a[i] == a[j]) == (b[i] == b[j]) for i, j in combinations(range(len(a)), 2))
    n = len(a)
    return same / (n * (n - 1) / 2)


def main():
    rng = np.random.default_rng(11)
    centers = np.array([[0.0, 0.0], [3.0, 0.5], [1.0, 3.0]])
    X = blobs(rng, centers, 20, 0.35)
    truth = np.repeat(np.arange(3), 20)
    W = affinity(X, 0.6)
    print(np.count_nonzero(W), f"{W.sum():.6f}")
    vals, U = embed(W, 3)
    print(np.round(np.abs(vals), 5))
    label, C = kmeans(U, 3, rng)
    print(np.bincount(label, minlength=3), f"{rand_index(label, truth):.5f}")
    order = np.argsort(np.bincount(label, minlength=3), kind="stable")
    print(order, [int((label == j).sum()) for j in order])


main()
