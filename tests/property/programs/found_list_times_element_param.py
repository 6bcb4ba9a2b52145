import sys

import numpy as np


def f(i):
    i = np.floor(np.abs(i * 1.25)).astype(np.int64)
    r = [0] * i[0]
    return r, np.sqrt(i * 2.0)


i = np.array([2, 0, 1, 4])
r, *rest = f(i)
print(type(r).__name__)
parts = r if isinstance(r, (list, tuple)) else [r]
print([type(p).__name__ for p in parts])
for k, part in enumerate(parts):
    rest.append(np.asarray(part))
np.savez(sys.argv[1], *rest)
