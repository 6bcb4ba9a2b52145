from numpy.linalg import norm as length


def scale(x):
    return x / length(x)
