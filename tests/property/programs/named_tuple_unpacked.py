"""Results by name that are taken for tuples."""
import sys
from collections import namedtuple
import numpy as np
Fit = namedtuple("Fit", "coef resid n")

def fit(x, k):
    c = np.exp(-x * k)
    return Fit(c, np.mean(c), k)

def main(path):
    x = np.linspace(0, 1, 4000)
    c, *rest = fit(x, 2.0)
    a, b, d = fit(x, 3.0)
    e = [fit(x, k)[1] for k in range(4)]
    print(rest, isinstance(b, np.floating), type(d))
    for one in fit(x, 1.0):
        print(np.shape(one))
    np.savez(path, c=c, a=a, e=e)

if __name__ == "__main__":
    main(sys.argv[1])
