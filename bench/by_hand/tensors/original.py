"""Diffusion tensors of an image: square roots, anisotropy, and the worst ones."""
import numpy as np


def square_roots(tensors):
    """Symmetric square root of each of many 3 x 3 tensors."""
    roots = np.empty_like(tensors)
    for i in range(len(tensors)):
        w, v = np.linalg.eigh(tensors[i])
        w = np.maximum(w, 0.0)
        roots[i] = (v * np.sqrt(w)) @ v.T
    return roots


def anisotropy(tensors):
    """Fractional anisotropy of each tensor."""
    found = []
    for t in tensors:
        w = np.linalg.eigvalsh(t)
        spread = np.sqrt(((w - w.mean()) ** 2).sum())
        found.append(np.sqrt(1.5) * spread / np.sqrt((w ** 2).sum()))
    return np.array(found)


def main():
    rng = np.random.default_rng(58)
    m = rng.normal(size=(4000, 3, 3))
    tensors = m @ np.swapaxes(m, 1, 2) + 0.2 * np.eye(3)
    roots = square_roots(tensors)
    fa = anisotropy(tensors)
    worst = np.argsort(fa)[-5:]
    print(f"{np.abs(roots @ roots - tensors).max():.1e} off, mean {fa.mean():.6f}")
    print("most anisotropic:", worst.tolist())


if __name__ == "__main__":
    main()
