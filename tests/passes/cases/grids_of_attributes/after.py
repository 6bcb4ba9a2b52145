"""Grids whose bounds are attributes, and shapes of arrays on the device."""

import cupy as cp


class Medium:
    def __init__(self, rows, columns):
        self.rows = rows
        self.columns = columns
        self.speed = cp.ones((rows, columns))

    def add_disc(self, row, column, radius, speed):
        i, j = cp.ogrid[: self.rows, : self.columns]
        self.speed[(i - row) ** 2 + (j - column) ** 2 <= radius * radius] = speed


def tapered(image):
    y, x = cp.mgrid[: image.shape[0], : image.shape[1]]
    return image * cp.cos(y / 40) * cp.cos(x / 40)


def main():
    medium = Medium(30, 40)
    medium.add_disc(12, 20, 6, 3.0)
    print(float(cp.abs(cp.fft.fft2(tapered(cp.sqrt(medium.speed)))).sum()))


if __name__ == "__main__":
    main()
