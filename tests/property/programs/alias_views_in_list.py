import sys

import numpy as np

def views(m):
    m = np.exp(-m)
    kept = [m[0], m[:, 1], m.T, m.reshape(-1), m.ravel()]
    m *= 10.0
    kept[0][0] = 99.0
    kept[3][5] = 88.0
    kept[4][6] = 66.0
    return [k + 0.0 for k in kept], m


def in_dict(m):
    m = np.exp(-m)
    d = {"a": m[0], "whole": m}
    d["a"] += 1.0
    m[0, 0] = 5.0
    d["whole"][1] = 3.0
    return d["a"] * 1.0, m


k, m = views(np.arange(12.0).reshape(3, 4))
a, m2 = in_dict(np.arange(12.0).reshape(3, 4))
np.savez(sys.argv[1], *k, m=m, a=a, m2=m2)
