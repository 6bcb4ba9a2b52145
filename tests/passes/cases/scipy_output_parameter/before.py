import numpy as np
from scipy import ndimage


def smooth_into(image: np.ndarray, out: np.ndarray):
    ndimage.gaussian_filter(image, 1.0, output=out)
    out *= 2.0


def smooth_single(image: np.ndarray):
    return ndimage.gaussian_filter(image, 1.0, output=np.float32) + 1
