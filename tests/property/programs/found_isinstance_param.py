import sys

import numpy as np

def norm(x):
    if isinstance(x, np.ndarray):
        return np.sqrt(np.sum(x * x))
    return abs(x)


def as_list(x):
    if isinstance(x, (list, tuple)):
        x = np.array(x)
    if np.isscalar(x):
        x = np.array([x])
    return np.sin(x) * 2


def kind(x):
    if type(x) == np.ndarray and x.dtype == np.float64 and x.dtype.kind == "f":
        return np.cos(x)
    return x


np.savez(
    sys.argv[1],
    a=norm(np.arange(3.0)),
    b=norm(-2.5),
    c=as_list([1, 2]),
    d=as_list(3.0),
    e=as_list(np.arange(3)),
    f=kind(np.arange(3.0)),
    g=kind(np.arange(3)),
)
