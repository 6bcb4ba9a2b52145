import sys

import numpy as np


def mandelbrot(h, w, it=20):
    y, x = np.ogrid[-1.4 : 1.4 : h * 1j, -2 : 0.8 : w * 1j]
    c = x + y * 1j
    z = c
    div = it + np.zeros(z.shape, dtype=int)
    for i in range(it):
        z = z**2 + c
        diverge = z * np.conj(z) > 2**2
        now = diverge & (div == it)
        div[now] = i
        z[diverge] = 2
    return div


if __name__ == "__main__":
    np.savez(sys.argv[1], m=mandelbrot(20, 24))
