"""Names of the module that are bound and read through the module as an object."""

import numpy as np
import sys
import json

grid = np.linspace(0, 1, 5)


def f(k):
    grid[:] = np.sin(grid) * k + np.cos(grid)


f(1)
me = sys.modules[__name__]
print(
    type(me.grid).__module__,
    json.dumps(me.grid.tolist()),
    me.grid.data.nbytes,
    isinstance(me.grid, np.ndarray),
)
