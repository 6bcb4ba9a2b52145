import sys

import numpy as np

def f(a):
    a = np.sqrt(a)
    s = a.sum()
    return (
        isinstance(s, float),
        isinstance(a, np.ndarray),
        isinstance(s, np.floating),
        np.isscalar(s),
        type(s).__name__,
        type(a) is np.ndarray,
        isinstance(s, np.generic),
        s is None,
        a is not None,
        hasattr(s, "shape"),
        np.ndim(s),
        callable(a),
    )


r = f(np.arange(6.0))
print(r)
np.savez(sys.argv[1], r=np.array([str(v) for v in r]))
