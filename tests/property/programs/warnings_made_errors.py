"""All warnings of a program are exceptions."""

import warnings

import numpy as np

warnings.filterwarnings("error")


def entropy(p):
    return -np.sum(p * np.log(p))


def safe(p):
    try:
        return entropy(p)
    except RuntimeWarning:
        return 0.0


def main():
    p = np.array([0.5, 0.25, 0.25, 0.0])
    print(safe(p), safe(p[:3]))


main()
