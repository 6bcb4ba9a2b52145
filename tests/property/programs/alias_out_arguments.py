import sys

import numpy as np

def work(a, buffer):
    np.multiply(a, 2.0, out=buffer)
    np.add(buffer, np.cos(a), buffer)
    total = np.sum(a, axis=0, out=buffer[0])
    return total


a = np.arange(12.0).reshape(3, 4)
b = np.zeros_like(a)
t = work(a, b)
t[0] = -3.0
np.savez(sys.argv[1], a=a, b=b, t=t)
