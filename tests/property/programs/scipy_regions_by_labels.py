import numpy as np
from scipy import ndimage


def f1(X, lab):
    return ndimage.sum_labels(X, lab, index=[1, 2])


def f2(X, lab):
    return ndimage.sum_labels(X, lab, [1, 2])


def f3(X, lab, n):
    return ndimage.mean(X, lab, range(1, n + 1))


def f4(X, lab, n):
    return ndimage.maximum(X, lab, index=np.arange(1, n + 1))


def f5(X, lab, n):
    return ndimage.center_of_mass(X, lab, [1, 2])


def f6(X, lab, n):
    return ndimage.variance(X, lab, (1, 2)), ndimage.minimum_position(X, lab, [1])


def f7(X, lab, n):
    return ndimage.standard_deviation(X, labels=lab, index=[1, 2]), ndimage.median(X, lab, index=2)


if __name__ == "__main__":
    X = np.exp(np.sin(np.arange(16.0))).reshape(4, 4)
    lab, n = ndimage.label(X > 1.5)
    print(f1(X, lab), f2(X, lab), f3(X, lab, n), f4(X, lab, n), f5(X, lab, n), f6(X, lab, n), f7(X, lab, n))
