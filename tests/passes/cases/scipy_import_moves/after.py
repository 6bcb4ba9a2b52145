import cupy as cp
import numpy as np
from cupyx.scipy import ndimage
from gpuport.runtime import device
from scipy import optimize


@device("image")
def smooth(image: np.ndarray):
    """Blur, and take the gradient."""
    calm = ndimage.gaussian_filter(image, 2.0)
    return cp.hypot(ndimage.sobel(calm, axis=0), ndimage.sobel(calm, axis=1))


def root(level):
    return optimize.brentq(lambda t: t * t - level, 0.0, 10.0)
