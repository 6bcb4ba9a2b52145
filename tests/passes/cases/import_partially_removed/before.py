from numpy import ndarray, sin, cos as c


def wave(x: ndarray):
    return sin(x) + c(x)
