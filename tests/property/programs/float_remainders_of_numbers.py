"""``np.mod`` of a number of Python's gives one of NumPy's, ``%`` one of Python's."""

import sys

import numpy as np


def phases(t, period):
    wave = np.sin(t) + np.exp(-np.abs(t))
    return wave, np.mod(t, period), np.floor_divide(t, period), np.remainder(period, 3)


def turned(t, period):
    return np.cos(t) * np.exp(-np.abs(t)), t % period, t // period


if __name__ == "__main__":
    out = {}
    for kind, t in (("array", np.linspace(-2.0, 9.0, 7)), ("number", 7.5), ("whole", 7)):
        for name in ("phases", "turned"):
            for k, value in enumerate(globals()[name](t, 2.5)):
                print(kind, name, k, type(value).__name__)
                out[f"{kind}_{name}_{k}"] = np.asarray(value)
    wave, folded, turns, rest = phases([0.5, 1.5], 1.0)
    print(type(folded).__name__, folded, turns, rest)
    np.savez(sys.argv[1], **out)
