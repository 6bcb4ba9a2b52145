"""States of states, replaced field by field."""
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


class Pair(NamedTuple):
    a: State
    b: State

def mix(p):
    d = p.a.x - p.b.x
    return Pair(p.a._replace(x=p.a.x - 0.1 * d), p.b._replace(x=p.b.x + 0.1 * d))

def main(path):
    p = Pair(start(200), start(200)._replace(x=np.zeros(200)))
    for _ in range(3):
        p = mix(p)
    np.savez(path, a=p.a.x, b=p.b.x, v=p.b.v)


if __name__ == "__main__":
    main(sys.argv[1])
