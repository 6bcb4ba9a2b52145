import sys

import numpy as np


def f(a):
    a = np.sin(a) + 1.5
    x = np.asarray(a.sum())
    y = x
    x += 1
    r = [x, y]
    return r, np.exp(a)


a = np.linspace(0.0, 1.0, 6)
r, *rest = f(a)
print(type(r).__name__)
parts = r if isinstance(r, (list, tuple)) else [r]
print([type(p).__name__ for p in parts])
for k, part in enumerate(parts):
    rest.append(np.asarray(part))
np.savez(sys.argv[1], *rest)
