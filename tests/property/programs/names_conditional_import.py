import sys

try:
    import numpy as np
except ImportError:
    np = None

if True:
    from numpy import cos as c
else:
    from math import cos as c


def f(a):
    """Docs mention np.sin(a) and cp."""
    # np.cos here is a comment
    text = "np.sin(a)"
    return np.sin(a) + c(a), text


r, t = f(np.arange(3.0))
print(t, f.__doc__, f.__name__)
np.savez(sys.argv[1], r=r)
