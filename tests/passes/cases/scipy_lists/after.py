import cupy as cp
import numpy as np
from cupyx.scipy import ndimage, special as cupyx_special
from gpuport.runtime import device
from scipy import special


@device("image")
def grown(image: np.ndarray):
    return ndimage.zoom(image, (2, 1.5), order=1) + 1.0


@device("image")
def blurred(image: np.ndarray):
    return ndimage.gaussian_filter(image, [1.0, 2.0])


@device("image", "labels", require=("image", "labels"))
def summed(image: np.ndarray, labels: np.ndarray):
    return ndimage.sum_labels(image, labels, cp.asarray([1, 2, 3]))


@device("image")
def weighted(image: np.ndarray):
    return ndimage.convolve(image, cp.asarray([[0, 1, 0], [1, 4, 1], [0, 1, 0]]))


@device("x")
def fewest(x: np.ndarray):
    return cupyx_special.xlogy(cp.asarray([1.0, 2.0, 3.0]), x)


def constants():
    return special.gammaln([1.0, 2.0])
