import numpy.linalg as la


def scale(x):
    return x / la.norm(x)
