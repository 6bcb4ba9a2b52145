import sys

import numpy as np

def total(parts):
    out = np.zeros(3)
    for p in parts:
        out += np.sqrt(p)
    parts[0][0] = 99.0
    parts.append(out)
    return out


def stack(parts):
    return np.concatenate(parts) * 2, np.stack(parts).sum(axis=0), np.vstack(parts).mean()


p = [np.arange(3.0), np.ones(3)]
t = total(p)
t[1] = -5.0
np.savez(sys.argv[1], t=t, *stack(p))
print(len(p), p[2] is t)
