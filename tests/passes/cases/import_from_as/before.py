from numpy import linalg as la


def scale(x):
    return x / la.norm(x)
