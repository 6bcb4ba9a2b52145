import sys

import numpy as np


def through_ravel(m):
    c = np.cos(m)
    c.ravel()[1] = 7.0
    return c


def through_parameter(m):
    m.ravel()[1] = 7.0
    return np.cos(m)


def through_reshape(m):
    c = np.exp(m) * 2.0
    v = c.reshape(-1)
    v += 1.0
    return c


def seen_later(m):
    c = np.sin(m)
    v = np.reshape(c, (2, -1))
    c *= 3.0
    return v


def by_rows(m):
    c = np.cos(m.T)
    for row in c.reshape(2, -1):
        row += 1.0
    return c


def filled(m):
    c = np.cos(m)
    c.ravel().fill(3.0)
    return c


def bump(v):
    v += np.cos(v)


def by_helper(m):
    c = np.exp(m)
    bump(c.reshape(-1))
    return c


def made_here(n):
    grid = np.zeros((n, 4))
    flat = grid.reshape(-1)
    flat[3:9] = 2.0
    return np.exp(grid) @ np.exp(grid.T)


def shaped_anew(m):
    c = np.cos(m)
    c = c.reshape(-1)
    c += 1.0
    return c


functions = (through_ravel, through_parameter, through_reshape, seen_later, by_rows, filled)


def turned(v):
    c = np.flip(np.cos(v))
    c.ravel()[0] = 5.0
    return c


base = np.linspace(0.0, 1.0, 48)
layouts = {
    "c": lambda: base[:24].reshape(4, 6).copy(),
    "f": lambda: np.asfortranarray(base[:24].reshape(4, 6)),
    "rows": lambda: base.copy().reshape(8, 6)[::2],
    "columns": lambda: base.copy().reshape(4, 12)[:, ::2],
    "backwards": lambda: base[:24].copy().reshape(4, 6)[::-1],
    "line": lambda: base.copy()[::2],
}
results = {"made": made_here(6)}
for name, make in layouts.items():
    for function in (*functions, by_helper, shaped_anew, turned):
        given = make()
        results[f"{function.__name__}_{name}"] = function(given)
        results[f"{function.__name__}_{name}_given"] = given
np.savez(sys.argv[1], **results)
