import sys

import numpy as np

x = np.sin(np.arange(50.0))
a = np.exp(-x)
v = (a,) + (x,)
print("concat", isinstance(v[0], np.ndarray))
b = np.exp(-x)
v = (b,) * 2
print("repeat", isinstance(v[1], np.ndarray))
c = np.exp(-x)
v = list(zip([1], [c]))
print("zip", isinstance(v[0][1], np.ndarray))
d = np.exp(-x)
v = list(enumerate([d]))
print("enumerate", isinstance(v[0][1], np.ndarray))
e = np.exp(-x)
v = {}.setdefault("k", e)
print("setdefault", isinstance(v, np.ndarray))
rec = None
for k in range(3):
    f = np.exp(-x * k)
    if rec is None or k > 1:
        rec = {"k": k, "f": f}
print("dict", isinstance(rec["f"], np.ndarray))
g = np.linalg.eigh(np.outer(x, x))
print("eigh", isinstance(g.eigenvalues, np.ndarray))
np.savez(sys.argv[1], s=1)
