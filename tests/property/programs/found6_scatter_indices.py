import sys
import numpy as np

def a(x, i, j, w):
    h = np.zeros((4, 5))
    np.add.at(h, (0, 1), 2.0)
    return np.sqrt(np.abs(h)) + x

def b(x, i, j, w):
    h = np.zeros((4, 5))
    np.add.at(h, (i, 1), w)
    return np.sqrt(np.abs(h)) + x

def c(x, i, j, w):
    h = np.zeros((4, 5))
    np.add.at(h, ([0, 1, 1], [2, 2, 2]), 1.0)
    return np.sqrt(np.abs(h)) + x

def d(x, i, j, w):
    h = np.zeros((4, 5))
    np.add.at(h, [0, 1, 1], 0.5)
    return np.sqrt(np.abs(h)) + x

def e(x, i, j, w):
    h = np.zeros((4, 5))
    np.add.at(h, (slice(None), j), 0.25)
    return np.sqrt(np.abs(h)) + x

def f(x, i, j, w):
    h = np.zeros((4, 5))
    k = (i, j)
    np.subtract.at(h, k, w)
    return np.sqrt(np.abs(h)) + x

def g(x, i, j, w):
    h = np.zeros((4, 5))
    np.add.at(h, [i, i], 1.0)
    return np.sqrt(np.abs(h)) + x

def m(x, i, j, w):
    h = np.zeros((4, 5)) + x
    np.add.at(h, h > 0.5, 10.0)
    np.minimum.at(h, (i, j), w)
    return np.sqrt(np.abs(h)) + x

def n(x, i, j, w):
    h = np.zeros(4)
    np.add.at(h, i, w)
    np.multiply.at(h, i, 2.0)
    return np.sqrt(np.abs(h)) + x[:, 0]

i = np.array([0, 1, 1, 3])
j = np.array([4, 2, 2, 0])
args = (np.ones((4, 5)), i, j, np.array([1.0, 2, 3, 4]))
np.savez(sys.argv[1], a=a(*args), b=b(*args), c=c(*args), d=d(*args), e=e(*args), f=f(*args), g=g(*args), m=m(*args), n=n(*args))
