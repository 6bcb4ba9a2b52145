import sys
import numpy as np

def inplace(a):
    for i in range(a.shape[0]):
        a[i] = np.linalg.inv(a[i])

def singular(a, out):
    for i in range(len(a)):
        out[i] = np.linalg.inv(a[i])

rng = np.random.default_rng(0)
a = rng.normal(size=(5, 3, 3))
inplace(a)
b = rng.normal(size=(5, 3, 3))
b[3] = 0
out = np.zeros_like(b)
try:
    singular(b, out)
except np.linalg.LinAlgError as e:
    print("raised", type(e).__name__)
np.savez(sys.argv[1], a=a, out=out)
