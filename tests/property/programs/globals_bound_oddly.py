"""Names of the module bound by walrus, loops, classes and sums, to arrays that others hold."""

import numpy as np

if (u := np.linspace(0, 1, 5)).size > 3:
    v = u * 2


def f():
    return np.sin(u) + np.cos(v)


print(f())
u = v
print(f())


for w in (v, u):
    pass
total = 0


def g():
    return np.ones(5) + w, np.ones(5) + total


total += v
print(g(), np.cos(v) + np.sin(v))
