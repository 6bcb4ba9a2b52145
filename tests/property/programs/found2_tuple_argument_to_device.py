import sys

import numpy as np


def windows(a, k):
    kh, kw = k.shape
    a = np.pad(a, 1)
    w = np.lib.stride_tricks.sliding_window_view(a, (kh, kw))
    return np.einsum("ijkl,kl->ij", w, k)


if __name__ == "__main__":
    np.savez(sys.argv[1], c=windows(np.ones((4, 5)), np.ones((2, 2))))
