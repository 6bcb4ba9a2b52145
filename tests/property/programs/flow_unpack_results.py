import sys

import numpy as np

def polar(x, y):
    return np.hypot(x, y), np.arctan2(y, x)


def stats(a):
    return a.mean(), a.std(), (a.min(), a.max())


def main(out):
    x = np.linspace(0.1, 1.0, 5)
    r, phi = polar(x, x**2)
    mu, sd, (lo, hi) = stats(r)
    z = (r - mu) / sd
    first, *rest = stats(z)
    print(f"{mu:.3f} {sd:.3f} {lo:.3f} {hi:.3f} {first:.1e}")
    np.savez(out, r=r, phi=phi, z=z, lo=lo, rest=rest[0])


main(sys.argv[1])
