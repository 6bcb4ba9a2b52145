import sys

import numpy as np

STATE = np.zeros(4)
SCALE = np.linspace(1.0, 2.0, 4)


def push(x):
    STATE[:] = STATE + np.sin(x) * SCALE
    return STATE


def reset():
    global STATE
    STATE = np.ones(4)


def make(n):
    base = np.sqrt(np.arange(n, dtype=float))

    def inner(k):
        return base * k + np.cos(base)

    base[0] = 7.0
    return inner


a = push(np.arange(4.0))
b = push(np.ones(4))
a[0] = 55.0
c = STATE.copy()
reset()
d = push(np.arange(4.0))
f = make(4)
np.savez(sys.argv[1], a=a, b=b, c=c, d=d, e=f(2.0), s=STATE)
