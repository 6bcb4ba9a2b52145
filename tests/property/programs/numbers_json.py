import sys

import numpy as np

import json


def stats(a):
    a = np.sqrt(a)
    return {"mean": float(a.mean()), "list": a.tolist(), "n": a.size, "item": a.max().item(), "shape": a.shape}


def raw(a):
    a = np.sqrt(a)
    return {"mean": a.mean(), "max": a.max()}


print(json.dumps(stats(np.arange(4.0)), sort_keys=True))
print(json.dumps(raw(np.arange(4.0)), sort_keys=True))
np.savez(sys.argv[1], **raw(np.arange(4.0)))
