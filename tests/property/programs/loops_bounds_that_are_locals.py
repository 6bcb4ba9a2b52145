"""Extents that are numbers of the function: literals in the kernel, no parameters."""

import sys
import numpy as np


def disc():
    width = 30
    height = 20
    inside = np.full((height, width), False)
    for y in range(0, height):
        for x in range(0, width):
            if (x - width // 4) ** 2 + (y - height // 2) ** 2 < 25:
                inside[y][x] = True
    return inside


np.savez(sys.argv[1], inside=disc())
