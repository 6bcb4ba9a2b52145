import sys

import numpy as np

def results(a):
    a = np.sqrt(a)
    d = {"a": a, "s": a.sum(), "n": 3, "name": "run", "none": None}
    e = {**d, "b": np.cos(a)}
    e.update(c=a * 2, s=0.0)
    a[0] = -9.0
    d["a"][1] = -8.0
    merged = dict(e, z=a * 3)
    return {k: v for k, v in merged.items() if v is not None}


r = results(np.arange(4.0))
print(sorted(r), type(r["s"]).__name__, type(r["n"]).__name__)
np.savez(sys.argv[1], **r)
