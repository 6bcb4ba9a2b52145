"""Windows of an image, one by one: a launch for each would cost more than the work."""

import cupy as cp
import numpy as np
from gpuport.runtime import device, kernel


@kernel(
    "raw float64 image, int size",
    "raw float64 out",
    """
    double part_ = image[{i, j}] * image[{i, j}];
    for (long long k2_ = 1; k2_ < size; ++k2_) {
        part_ = part_ + image[{i, j + k2_}] * image[{i, j + k2_}];
    }
    for (long long k_ = 1; k_ < size; ++k_) {
        for (long long k2_ = 0; k2_ < size; ++k2_) {
            part_ = part_ + image[{i + k_, j + k2_}] * image[{i + k_, j + k2_}];
        }
    }
    out[{i, j}] = sqrt(part_);
    """,
    over="i in range(out.shape[0]), j in range(out.shape[1])",
    where="size >= 1",
)
def _local_energy(image, size, out):
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = np.linalg.norm(image[i : i + size, j : j + size])


@device("image")
def local_energy(image: np.ndarray, size: int) -> np.ndarray:
    height, width = image.shape
    out = cp.zeros((height - size + 1, width - size + 1))
    _local_energy(image, size, out)
    return out
