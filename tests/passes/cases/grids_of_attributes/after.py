"""Grids whose bounds are attributes, and shapes of arrays on the device."""

import cupy as cp
import numpy as np
from gpuport.runtime import kernel


class Medium:
    def __init__(self, rows, columns):
        self.rows = rows
        self.columns = columns
        self.speed = cp.ones((rows, columns))

    def add_disc(self, row, column, radius, speed):
        i, j = cp.ogrid[: self.rows, : self.columns]
        self.speed[(i - row) ** 2 + (j - column) ** 2 <= radius * radius] = speed


@kernel(
    "float64 image, int64 y, int64 x",
    "float64 result",
    """
    result = image * cos(y / 40.0) * cos(x / 40.0);
    """,
)
def _tapered(image, y, x):
    return image * np.cos(y / 40) * np.cos(x / 40)


def tapered(image):
    y, x = cp.mgrid[: image.shape[0], : image.shape[1]]
    return _tapered(image, y, x)


def main():
    medium = Medium(30, 40)
    medium.add_disc(12, 20, 6, 3.0)
    print(float(cp.abs(cp.fft.fft2(tapered(cp.sqrt(medium.speed)))).sum()))


if __name__ == "__main__":
    main()
