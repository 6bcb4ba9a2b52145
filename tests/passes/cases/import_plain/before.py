import numpy


def scale(x: numpy.ndarray):
    return numpy.sqrt(x) / numpy.linalg.norm(x)
