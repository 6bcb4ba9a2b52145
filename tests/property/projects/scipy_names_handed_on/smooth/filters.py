import numpy as np
from scipy.ndimage import convolve


def blurred(image: np.ndarray, kernel: np.ndarray) -> np.ndarray:
    around = np.roll(image, 1, axis=0) + np.roll(image, -1, axis=0)
    return convolve(around, kernel, mode="wrap") + np.sin(image) * np.cos(image)
