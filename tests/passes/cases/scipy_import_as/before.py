import numpy as np
import scipy.ndimage as ndi
import scipy.signal as sig


def spots(image: np.ndarray, level):
    labels, count = ndi.label(image > level)
    return labels, ndi.sum_labels(image, labels, np.arange(1, count + 1))


def quantised(image: np.ndarray):
    return sig.order_filter(image, np.ones((3, 3)), 4)
