import sys

import numpy as np

def f(a, items):
    b = np.sin(a)
    items["b"] = b
    items["a"] = a
    items["s"] = b.sum()
    b += 1.0
    return items, b


x = np.arange(3.0)
store = {}
got, b = f(x, store)
b[0] = 44.0
print(got is store, store["b"] is b, store["a"] is x, type(store["s"]).__name__)
np.savez(sys.argv[1], **store)
