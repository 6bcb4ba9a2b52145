import sys
import numpy as np

def f():
    a = np.sin(np.linspace(0.0, 1.0, 6))
    r = a.max() == None
    return r, np.exp(a)


r, e = f()
print(type(r).__name__, r)
np.savez(sys.argv[1], r=r, e=e)
