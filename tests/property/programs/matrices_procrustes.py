"""Align shapes to their mean by Procrustes analysis."""
import numpy as np


def align(shape, target):
    mu_s, mu_t = shape.mean(axis=0), target.mean(axis=0)
    A, B = shape - mu_s, target - mu_t
    U, s, Vt = np.linalg.svd(A.T @ B)
    R = U @ Vt
    if np.linalg.det(R) < 0:
        U[:, -1] *= -1
        R = U @ Vt
    scale = s.sum() / (A ** 2).sum()
    return scale * A @ R + mu_t


def generalized(shapes: list[np.ndarray], iterations: int = 5):
    mean = shapes[0]
    for _ in range(iterations):
        aligned = [align(s, mean) for s in shapes]
        mean = np.mean(aligned, axis=0)
    residual = 0.0
    for s in aligned:
        residual += np.linalg.norm(s - mean) ** 2
    return mean, residual


def main():
    rng = np.random.default_rng(1)
    base = rng.normal(size=(30, 3))
    shapes = []
    for _ in range(8):
        q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        shapes.append(1.5 * base @ q + rng.normal(size=(30, 3)) * 0.01 + 2.0)
    mean, residual = generalized(shapes)
    print(mean.shape, round(float(residual), 8))


if __name__ == "__main__":
    main()
