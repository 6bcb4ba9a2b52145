"""Diffusion tensors: fit and eigenvalues per voxel."""
import numpy as np


def design(bvecs, bvals):
    x, y, z = bvecs.T
    return -bvals[:, None] * np.stack([x * x, y * y, z * z, 2 * x * y, 2 * x * z, 2 * y * z], axis=1)


def fit(signal: np.ndarray, B: np.ndarray, s0: float):
    n = signal.shape[0]
    tensors = np.zeros((n, 3, 3))
    for v in range(n):
        coef, res, rank, sv = np.linalg.lstsq(B, np.log(signal[v] / s0), rcond=None)
        xx, yy, zz, xy, xz, yz = coef
        tensors[v] = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return tensors


def metrics(tensors: np.ndarray):
    fa = np.zeros(len(tensors))
    md = np.zeros(len(tensors))
    direction = np.zeros((len(tensors), 3))
    for v, t in enumerate(tensors):
        w, vec = np.linalg.eigh(t)
        w = np.clip(w, 0, None)
        md[v] = w.mean()
        fa[v] = np.sqrt(1.5 * ((w - w.mean()) ** 2).sum() / (w ** 2).sum())
        direction[v] = vec[:, -1]
    return fa, md, direction


def main():
    rng = np.random.default_rng(4)
    bvecs = rng.normal(size=(30, 3))
    bvecs /= np.linalg.norm(bvecs, axis=1, keepdims=True)
    B = design(bvecs, np.full(30, 1.0))
    d = np.array([1.5, 0.4, 0.3, 0.1, 0.0, 0.05])
    signal = 100 * np.exp(B @ d)[None, :] * (1 + 0.01 * rng.normal(size=(50, 30)))
    t = fit(signal, B, 100.0)
    fa, md, direction = metrics(t)
    print(fa.sum().round(8), md.sum().round(8), np.abs(direction).sum().round(6))


if __name__ == "__main__":
    main()
