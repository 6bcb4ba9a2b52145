import sys

import numpy as np


def smooth(signal, width):
    window = np.hanning(width)
    return np.convolve(signal, window / window.sum(), mode="same")


def main(path):
    data = np.loadtxt(path)
    for width in (5, 9, 17):
        data = smooth(data, width)
    np.savetxt("out.txt", data)


if __name__ == "__main__":
    main(sys.argv[1])
