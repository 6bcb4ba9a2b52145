import numpy as np
from scipy import ndimage, special


def grown(image: np.ndarray):
    return ndimage.zoom(image, (2, 1.5), order=1) + 1.0


def blurred(image: np.ndarray):
    return ndimage.gaussian_filter(image, [1.0, 2.0])


def summed(image: np.ndarray, labels: np.ndarray):
    return ndimage.sum_labels(image, labels, [1, 2, 3])


def weighted(image: np.ndarray):
    return ndimage.convolve(image, [[0, 1, 0], [1, 4, 1], [0, 1, 0]])


def fewest(x: np.ndarray):
    return special.xlogy([1.0, 2.0, 3.0], x)


def constants():
    return special.gammaln([1.0, 2.0])
