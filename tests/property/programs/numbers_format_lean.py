import sys

import numpy as np

def f(a):
    s = np.sqrt(a).sum()
    return "%s" % s


def g(a):
    s = np.sqrt(a).sum()
    return "{}".format(s)


def h(a):
    s = np.sqrt(a).max()
    return f"{s} {s:.3f} {s!r}"


def k(a):
    s = np.sqrt(a).max()
    return str(s), repr(s), "%.2f" % s, "%s and %s" % (s, s)


a = np.arange(6.0)
print(f(a), g(a), h(a), k(a))
i = np.arange(6)
print(f(i), g(i), h(i), k(i))
s = np.arange(6, dtype=np.float32)
print(f(s), g(s), h(s), k(s))
np.savez(sys.argv[1], a=np.sqrt(a))
