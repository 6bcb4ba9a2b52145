import sys

import numpy as np


def f(a, b):
    a = np.sin(a) + 1.5
    b = np.cos(b) * 2.0
    r = np.interp(1.7, a, b)
    return r, np.exp(a), np.exp(b)


a = np.linspace(0.0, 1.0, 6)
b = np.linspace(1.0, 2.0, 6)
r, *rest = f(a, b)
print(type(r).__name__)
parts = r if isinstance(r, (list, tuple)) else [r]
print([type(p).__name__ for p in parts])
for k, part in enumerate(parts):
    rest.append(np.asarray(part))
np.savez(sys.argv[1], *rest)
