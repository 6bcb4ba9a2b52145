import sys

import numpy as np

def f(a):
    a = np.sqrt(a)
    s = a.sum()
    m = a.mean()
    print("%d %s" % (s, m))
    print("%s" % s)
    print("%r" % m)
    print("%.3f" % m)
    print("{} {:.4f} {!r}".format(s, m, m))
    print(f"{s} {m:.3e} {s!r} {a[0]:>10} {a.max():8.2f}|")
    print(s, m, a[1], sep=";")
    return str(s) + repr(m)


t = f(np.arange(6.0))
print(t)
np.savez(sys.argv[1], t=np.array(t))
