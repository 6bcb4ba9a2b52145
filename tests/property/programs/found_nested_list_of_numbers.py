import sys

import numpy as np


def f():
    a = np.linspace(0.0, 1.0, 6)
    b = np.linspace(1.0, 2.0, 6)
    a = np.sin(a) + 1.5
    b = np.cos(b) * 2.0
    r = np.array([[a.max(), 1.0], [b.min(), 2]])
    return r, np.exp(a), np.exp(b)


r, *rest = f()
print(type(r).__name__)
parts = r if isinstance(r, (list, tuple)) else [r]
print([type(p).__name__ for p in parts])
for k, part in enumerate(parts):
    rest.append(np.asarray(part))
np.savez(sys.argv[1], *rest)
