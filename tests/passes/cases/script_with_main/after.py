import sys

import cupy as cp
import numpy as np
from gpuport.runtime import device, hanning


@device("signal")
def smooth(signal, width):
    window = hanning(width)
    return cp.convolve(signal, window / window.sum(), mode="same")


def main(path):
    data = cp.asarray(np.loadtxt(path))
    for width in (5, 9, 17):
        data = smooth(data, width)
    np.savetxt("out.txt", cp.asnumpy(data))


if __name__ == "__main__":
    main(sys.argv[1])
