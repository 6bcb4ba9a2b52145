import numpy as np
from scipy import ndimage, optimize


def smooth(image: np.ndarray):
    """Blur, and take the gradient."""
    calm = ndimage.gaussian_filter(image, 2.0)
    return np.hypot(ndimage.sobel(calm, axis=0), ndimage.sobel(calm, axis=1))


def root(level):
    return optimize.brentq(lambda t: t * t - level, 0.0, 10.0)
