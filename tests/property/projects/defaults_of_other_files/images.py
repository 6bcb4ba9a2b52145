import numpy as np

from shapes import ELLIPSES, LEVELS


def phantom(n: int, ellipses=ELLIPSES):
    axis = np.linspace(-1, 1, n)
    x, y = axis[None, :], axis[::-1, None]
    image = np.zeros((n, n))
    for value, a, turn in ellipses:
        turn = np.deg2rad(turn)
        along = (x - a) * np.cos(turn) + y * np.sin(turn)
        image[(along / a) ** 2 <= 1] += value
    return image


def above(image, levels=LEVELS[::4]):
    for number, level in enumerate(levels):
        share = np.mean(image > level)
        if share < 0.3:
            return number, share
    return -1, 0.0


def smoothed(image):
    return np.fft.ifft2(np.fft.fft2(image) * np.exp(-LEVELS[: len(image)])).real
