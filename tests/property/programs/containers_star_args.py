import sys

import numpy as np

def add(*arrays):
    total = np.zeros_like(arrays[0])
    for a in arrays:
        total += np.sqrt(a)
    return total


def options(x, **settings):
    scale = settings.get("scale", np.ones(1))
    return np.cos(x) * scale + settings.pop("shift", 0.0)


def spread(x, y, z=1.0):
    return np.sin(x) * y + z


a = np.arange(4.0)
pair = (a, a + 1)
named = {"x": a, "y": a * 2, "z": a * 3}
np.savez(
    sys.argv[1],
    a=add(a, a, a + 1),
    b=options(a),
    c=options(a, scale=a, shift=a * 2),
    d=spread(*pair),
    e=spread(**named),
    f=spread(*pair, z=a),
    **named,
)
