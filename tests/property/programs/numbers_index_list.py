import sys

import numpy as np

def f(a, names):
    i = np.argmax(np.sin(a))
    order = np.argsort(-a)
    picked = [names[j] for j in order]
    d = {0: "x", 1: "y", 2: "z"}
    return names[i], picked, d[i], names[int(order[0])], names[order[1]], names[:i], [7] * i


r = f(np.array([0.1, 1.2, 0.4]), ["a", "b", "c"])
print(r)
np.savez(sys.argv[1], r=np.array(r[0]))
