"""What a loop adds to may be a row of an array that the loop does not read."""

import sys

import numpy as np


def counted(a: np.ndarray, b: np.ndarray):
    y = a[0]
    warped = np.sin(np.exp(a) * 0.5) + np.sqrt(np.abs(a))
    for i in range(len(b)):
        if b[i] > 0.0:
            y += 1
    return y, warped


def main(path, count):
    line, plane = np.cos(np.arange(12.0)), np.sin(np.arange(12.0)).reshape(3, 4)
    b = np.cos(np.arange(40.0))
    y, warped = count(line, b)
    row, warped_plane = count(plane, b)
    np.savez(path, line=line, plane=plane, y=y, row=row, warped=warped, more=warped_plane)


main(sys.argv[1], getattr(sys.modules[__name__], "counted"))
