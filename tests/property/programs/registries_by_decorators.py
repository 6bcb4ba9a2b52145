"""Decorators that write functions down, which are called where they are found."""

import numpy as np

MODELS = {}
SEEN = []


def model(name):
    def keep(func):
        MODELS[name] = func
        return func
    return keep


def listed(func):
    SEEN.append(func)
    return func


@model("upwind")
def upwind(u, c=0.4):
    return u - c * (u - np.roll(u, 1, axis=-1))


@model("lax")
@listed
def lax(u, c=0.4):
    left, right = np.roll(u, 1, axis=-1), np.roll(u, -1, axis=-1)
    return 0.5 * (left + right) - 0.5 * c * (right - left)


def run(u, name, steps):
    for _ in range(steps):
        u = MODELS[name](u)
    return u


def main():
    u = np.sin(np.linspace(0, 6, 400))
    for name in sorted(MODELS):
        v = run(u, name, 10)
        print(name, v.sum(), lax(v, c=0.1).max())
    for one in SEEN:
        print(one(u).std())
    print(upwind(u).min())


main()
