import sys

import numpy as np


def inertia(m, coords):
    I = np.zeros((3, 3))
    for mi, (x, y, z) in zip(m, coords):
        I += mi * np.array([[y * y + z * z, -x * y, -x * z], [-x * y, x * x + z * z, -y * z], [-x * z, -y * z, x * x + y * y]])
    return np.linalg.eigvalsh(I)


if __name__ == "__main__":
    np.savez(sys.argv[1], i=inertia(np.ones(3), np.eye(3)))
