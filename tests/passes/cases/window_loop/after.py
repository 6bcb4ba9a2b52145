"""Windows of an image, one by one: a launch for each would cost more than the work."""

import cupy as cp
import numpy as np
from gpuport.runtime import device, launchable, on_host


_local_energy = cp.ElementwiseKernel(
    "raw float64 image, int64 size",
    "raw float64 out",
    """
    const long long i_ = i / out.shape()[1];
    const long long j = i % out.shape()[1];
    double part_ = image[{i_, j}] * image[{i_, j}];
    for (long long k2_ = 1; k2_ < size; ++k2_) {
        part_ = part_ + image[{i_, j + k2_}] * image[{i_, j + k2_}];
    }
    for (long long k_ = 1; k_ < size; ++k_) {
        for (long long k2_ = 0; k2_ < size; ++k2_) {
            part_ = part_ + image[{i_ + k_, j + k2_}] * image[{i_ + k_, j + k2_}];
        }
    }
    out[{i_, j}] = sqrt(part_);
    """,
    "local_energy",
    options=("--fmad=false",),
)


@device("image")
def local_energy(image: np.ndarray, size: int) -> np.ndarray:
    height, width = image.shape
    out = cp.zeros((height - size + 1, width - size + 1))
    if (
        launchable(float64=(image, out), whole=size, writes=out, ndim=2)
        and size >= 1
        and image.shape[0] + 1 >= size + out.shape[0]
        and image.shape[1] + 1 >= size + out.shape[1]
    ):
        _local_energy(image, size, out, size=out.shape[0] * out.shape[1])
    else:
        with on_host(image, writes=(out,)) as (image_host, out_host):
            for i in range(out_host.shape[0]):
                for j in range(out_host.shape[1]):
                    out_host[i, j] = np.linalg.norm(image_host[i : i + size, j : j + size])
    return out
