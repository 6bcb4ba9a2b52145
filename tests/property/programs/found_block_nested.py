import sys

import numpy as np


def f():
    m = np.outer(np.linspace(0.0, 1.0, 3), np.linspace(1.0, 2.0, 4))
    m = np.exp(-m)
    r = np.block([[m, m], [m, m]])
    return r, np.exp(m)


r, *rest = f()
print(type(r).__name__)
parts = r if isinstance(r, (list, tuple)) else [r]
print([type(p).__name__ for p in parts])
for k, part in enumerate(parts):
    rest.append(np.asarray(part))
np.savez(sys.argv[1], *rest)
