import sys
import numpy as np

def f(a):
    a = np.sin(a) + 1.5
    x = a[1][None]
    y = a[1][...]
    a *= 3.0
    return x * 2, y * 2, np.exp(a)


np.savez(sys.argv[1], *f(np.linspace(0.0, 1.0, 6)))
