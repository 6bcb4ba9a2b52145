"""Windows of an image, one by one: a launch for each would cost more than the work."""

import numpy as np


def local_energy(image: np.ndarray, size: int) -> np.ndarray:
    height, width = image.shape
    out = np.zeros((height - size + 1, width - size + 1))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = np.linalg.norm(image[i : i + size, j : j + size])
    return out
