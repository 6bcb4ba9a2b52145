"""Lists of elements that an operator of NumPy's makes arrays of, where no kernel comes of it."""

import numpy as np


def printed(a, b):
    for i in range(len(a)):
        q = [a[i], b[i]]
        q = q / np.linalg.norm(q)
        print(np.round(q, 5))


def ends(a, b):
    a = np.sort(np.exp(a) + np.cumsum(b))
    b = np.sort(b)
    q = [a[0], b[1]]
    return q / np.linalg.norm(a)


if __name__ == "__main__":
    rng = np.random.default_rng(4)
    a, b = rng.random(6) + 0.1, rng.random(6)
    printed(a, b)
    print(ends(a, b))
