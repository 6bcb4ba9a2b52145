"""Image patches: one stack, one factorisation of all."""

import sys

import cupy as cp
import numpy as np


def split(image, size):
    rows, cols = image.shape
    blocks = image.reshape(rows // size, size, cols // size, size)
    return cp.ascontiguousarray(blocks.transpose(0, 2, 1, 3)).reshape(-1, size, size)


def low_rank_patches(patches, rank):
    u, s, vt = cp.linalg.svd(patches, full_matrices=False)
    return (u[:, :, :rank] * s[:, None, :rank]) @ vt[:, :rank]


def main(path):
    rng = np.random.default_rng(30)
    y, x = np.mgrid[0:48, 0:60]
    image = np.sin(x / 7.0) * np.cos(y / 5.0) + 0.05 * rng.normal(size=(48, 60))
    patches = split(cp.asarray(image), 12)
    values = cp.linalg.svd(patches, compute_uv=False)
    smooth = low_rank_patches(patches, 3)
    ranks = (values > 0.5).sum(axis=1)
    np.savez(path, values=cp.asnumpy(values), smooth=cp.asnumpy(smooth), ranks=cp.asnumpy(ranks))


if __name__ == "__main__":
    main(sys.argv[1])
