import sys
import numpy as np

def f(a, scale, shift):
    out = np.zeros_like(a)
    for i in range(len(a)):
        out[i] = scale * np.linalg.inv(a[i]) + shift
    return out

rng = np.random.default_rng(0)
a = rng.normal(size=(3, 3, 3)) + 3 * np.eye(3)
v = np.arange(3.0)
big = rng.normal(size=(3, 3, 3))
r1 = f(a, 2.0, 1)
r2 = f(a, v, np.eye(3))
try:
    r3 = f(a, big, 0)
except ValueError:
    r3 = np.zeros(1)
    print("value error")
r4 = f(a[:, :1, :1], v[:1], 0.5)
try:
    r5 = f(a[0], 1.0, 0)
except np.linalg.LinAlgError:
    print("linalg error")
four = rng.normal(size=(2, 3, 3, 3)) + 3 * np.eye(3)
r6 = f(four, 1.0, big)
np.savez(sys.argv[1], r1=r1, r2=r2, r3=r3, r4=r4, r6=r6)
