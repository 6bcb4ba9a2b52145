"""Diffusion tensors of an image: square roots, anisotropy, and the worst ones."""
import cupy as cp
import numpy as np


def square_roots(tensors):
    """Symmetric square root of each of many 3 x 3 tensors."""
    w, v = cp.linalg.eigh(tensors)
    w = cp.maximum(w, 0.0)
    return (v * cp.sqrt(w)[:, None, :]) @ v.swapaxes(1, 2)


def anisotropy(tensors):
    """Fractional anisotropy of each tensor."""
    w = cp.linalg.eigvalsh(tensors)
    spread = cp.sqrt(((w - w.mean(axis=1, keepdims=True)) ** 2).sum(axis=1))
    return np.sqrt(1.5) * spread / cp.sqrt((w ** 2).sum(axis=1))


def main():
    rng = np.random.default_rng(58)
    m = cp.asarray(rng.normal(size=(4000, 3, 3)))
    tensors = m @ cp.swapaxes(m, 1, 2) + 0.2 * cp.eye(3)
    roots = square_roots(tensors)
    fa = anisotropy(tensors)
    worst = cp.argsort(fa)[-5:]
    print(f"{float(cp.abs(roots @ roots - tensors).max()):.1e} off, mean {float(fa.mean()):.6f}")
    print("most anisotropic:", worst.tolist())


if __name__ == "__main__":
    main()
