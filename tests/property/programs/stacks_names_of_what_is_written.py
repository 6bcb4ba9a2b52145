import sys
import numpy as np


def alias_acc(mats):
    acc = np.zeros((4, 4))
    ref = acc
    for m in mats:
        acc += np.linalg.inv(m + ref)
    return acc


def alias_view(a):
    out = np.zeros((len(a), 4, 4))
    ref = out[0]
    for i in range(len(a)):
        out[i] = np.linalg.inv(a[i] + ref)
    return out


def main(path):
    rng = np.random.default_rng(66)
    a = rng.normal(size=(80, 4, 4))
    spd = a @ a.transpose(0, 2, 1) + np.eye(4)
    np.savez(path, t=alias_acc(spd), u=alias_view(spd))


main(sys.argv[1])
