"""The items of a named tuple, one after the other."""
import sys
from collections import namedtuple
from typing import NamedTuple
import numpy as np


class State(NamedTuple):
    x: np.ndarray
    v: np.ndarray
    t: float = 0.0


Fit = namedtuple("Fit", "coef resid n")


def start(n):
    return State(np.linspace(-1.0, 2.0, n), np.cos(np.arange(n) * 0.1))


def main(path):
    s = start(1000)
    sums = [np.sum(f) for f in s]
    d = dict(zip(s._fields, s))
    np.savez(path, sums=np.array(sums), **d)


if __name__ == "__main__":
    main(sys.argv[1])
