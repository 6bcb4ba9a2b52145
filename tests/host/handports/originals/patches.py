"""Denoise image patches by truncated SVD, patch by patch."""

import sys

import numpy as np


def spectra(patches):
    """Singular values of every patch."""
    return [np.linalg.svd(p, compute_uv=False) for p in patches]


def low_rank_patches(patches, rank):
    """Best rank-k approximation of every patch."""
    factors = [np.linalg.svd(p, full_matrices=False) for p in patches]
    return [(u[:, :rank] * s[:rank]) @ vt[:rank] for u, s, vt in factors]


def split(image, size):
    """Non-overlapping square patches, row by row."""
    rows, cols = image.shape
    return [
        image[i : i + size, j : j + size]
        for i in range(0, rows, size)
        for j in range(0, cols, size)
    ]


def main(path):
    rng = np.random.default_rng(30)
    y, x = np.mgrid[0:48, 0:60]
    image = np.sin(x / 7.0) * np.cos(y / 5.0) + 0.05 * rng.normal(size=(48, 60))
    patches = split(image, 12)
    values = np.array(spectra(patches))
    smooth = np.stack(low_rank_patches(patches, 3))
    ranks = (values > 0.5).sum(axis=1)
    np.savez(path, values=values, smooth=smooth, ranks=ranks)


if __name__ == "__main__":
    main(sys.argv[1])
