# BAD-MESSAGE: one line of a refused loop gives 24 identical GP201 findings (one per element access, all on the same line).
# Should: one finding per loop (at the `for`), naming the arrays. In a Canny edge example 40% of the report are such lines.
import sys

import numpy as np


def inertia(m, coords):
    I = np.zeros((3, 3))
    for mi, (x, y, z) in zip(m, coords):
        I += mi * np.array([[y * y + z * z, -x * y, -x * z], [-x * y, x * x + z * z, -y * z], [-x * z, -y * z, x * x + y * y]])
    return np.linalg.eigvalsh(I)


if __name__ == "__main__":
    np.savez(sys.argv[1], i=inertia(np.ones(3), np.eye(3)))
