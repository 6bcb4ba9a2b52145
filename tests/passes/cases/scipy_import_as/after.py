import cupy as cp
import cupyx.scipy.ndimage as ndi
import numpy as np
import scipy.signal as sig
from gpuport.runtime import device


@device("image", "level", require="image")
def spots(image: np.ndarray, level):
    labels, count = ndi.label(image > level)
    return labels, ndi.sum_labels(image, labels, cp.arange(1, count + 1))


def quantised(image: np.ndarray):
    return sig.order_filter(image, np.ones((3, 3)), 4)
