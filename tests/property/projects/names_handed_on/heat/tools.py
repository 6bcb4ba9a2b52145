import numpy

__all__ = ["curvature", "total"]


def curvature(t):
    padded = numpy.pad(t, 1, mode="edge")
    return padded[2:] - 2.0 * t + padded[:-2]


def total(t):
    return float(numpy.sum(t))
