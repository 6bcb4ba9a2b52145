import sys

import numpy as np
from scipy import fft, ndimage
from scipy.signal import fftconvolve
from scipy.signal.windows import tukey


def taper(image):
    rows, columns = image.shape
    return image * np.outer(tukey(rows, 0.2), tukey(columns, 0.2))


def shift_between(first, second):
    product = fft.fft2(first) * np.conj(fft.fft2(second))
    correlation = np.abs(fft.ifft2(product / (np.abs(product) + 1e-9)))
    peak = np.unravel_index(np.argmax(correlation), correlation.shape)
    return np.array([p if p < n // 2 else p - n for p, n in zip(peak, first.shape)])


def aligned(first, second):
    offset = shift_between(taper(first), taper(second))
    return ndimage.shift(second, offset, order=1, mode="nearest"), offset


def texture(image, radius):
    y, x = np.mgrid[-radius:radius + 1, -radius:radius + 1]
    disk = (x ** 2 + y ** 2 <= radius ** 2).astype(float)
    disk /= disk.sum()
    mean = fftconvolve(image, disk, mode="same")
    return ndimage.maximum_filter(image, footprint=disk > 0) - mean


rng = np.random.default_rng(9)
scene = ndimage.gaussian_filter(rng.random((64, 64)), 1.5)
moved = np.roll(scene, (5, -3), axis=(0, 1))
image, offset = aligned(scene, moved)
np.savez(sys.argv[1], image=image, offset=offset, texture=texture(scene, 3))
