import sys

import numpy as np

def solve(m, b):
    return np.linalg.solve(m, b) * np.cos(b)


def chol(m):
    return np.linalg.cholesky(m) * 2.0


r = []
for m in (np.eye(2), np.zeros((2, 2))):
    try:
        r.append(solve(m, np.ones(2)))
    except np.linalg.LinAlgError as error:
        print("caught", type(error).__name__)
        r.append(np.zeros(2))
try:
    chol(-np.eye(2))
except np.linalg.LinAlgError:
    print("not positive")
np.savez(sys.argv[1], *r)
