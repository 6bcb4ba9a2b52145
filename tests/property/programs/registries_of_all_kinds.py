"""Tables into which decorators write functions that have little in common, and others are put later."""
import numpy as np

ODD = {}


def odd(func):
    ODD[func.__name__] = func
    return func


@odd
def total(u):
    return u.sum() if u.ndim else u


@odd
def root(u):
    return "text" if u is None else np.sqrt(np.abs(u))


def main():
    u = np.sin(np.linspace(0, 6, 400))
    for _ in range(5):
        u = np.cos(u) + 0.5 * u
    print(ODD["total"](u), total(u * 2), ODD["root"](None), root(u).sum())
    ODD["half"] = lambda u: u * 0.5
    print([float(np.max(ODD[name](u))) for name in ("half", "root", "total")])


main()
