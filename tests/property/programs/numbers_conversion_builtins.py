import sys

import numpy as np

import math


def f(a):
    a = np.sqrt(a)
    s = a.sum()
    return (
        float(s),
        int(s),
        bool(s),
        round(s, 2),
        round(s),
        abs(-s),
        divmod(s, 2.0),
        pow(s, 2),
        math.sqrt(s),
        math.floor(s),
        complex(s),
        s // 2,
        s % 2,
        s**0.5,
        -s,
        min(s, 3.0),
        max(s, 100),
    )


r = f(np.arange(6.0))
print([type(v).__name__ for v in r])
print(r)
np.savez(sys.argv[1], s=r[0])
