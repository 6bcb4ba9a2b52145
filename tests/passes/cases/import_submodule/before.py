import numpy.linalg


def scale(x):
    return numpy.sqrt(x) / numpy.linalg.norm(x)
