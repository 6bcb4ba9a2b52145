"""Grids whose bounds are attributes, and shapes of arrays on the device."""

import numpy as np


class Medium:
    def __init__(self, rows, columns):
        self.rows = rows
        self.columns = columns
        self.speed = np.ones((rows, columns))

    def add_disc(self, row, column, radius, speed):
        i, j = np.ogrid[: self.rows, : self.columns]
        self.speed[(i - row) ** 2 + (j - column) ** 2 <= radius * radius] = speed


def tapered(image):
    y, x = np.mgrid[: image.shape[0], : image.shape[1]]
    return image * np.cos(y / 40) * np.cos(x / 40)


def main():
    medium = Medium(30, 40)
    medium.add_disc(12, 20, 6, 3.0)
    print(np.abs(np.fft.fft2(tapered(np.sqrt(medium.speed)))).sum())


if __name__ == "__main__":
    main()
