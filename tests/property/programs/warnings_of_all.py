"""Filters that a function leaves in place, and context managers that set them, are for all."""

import warnings
from contextlib import contextmanager

import numpy as np


def entropy(p):
    return -np.sum(p * np.log(p))


def spread(p):
    return np.sqrt(p - 1).sum()


@contextmanager
def strict():
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        yield


class Recorded:
    def __enter__(self):
        self.listening = warnings.catch_warnings(record=True)
        self.told = self.listening.__enter__()
        warnings.simplefilter("always")
        return self

    def __exit__(self, *error):
        return self.listening.__exit__(*error)


def leave_strict():
    warnings.simplefilter("error")


def main():
    p = np.linspace(0.0, 3.0, 400)
    with Recorded() as seen:
        entropy(p)
    print(len(seen.told))
    with strict():
        try:
            print(entropy(p))
        except RuntimeWarning as told:
            print("strict:", told)
    leave_strict()
    try:
        print(spread(p))
    except RuntimeWarning as told:
        print("left:", told)


warnings.simplefilter("ignore")
main()
q = np.linspace(0.0, 3.0, 400)
try:
    print((q / q).sum())
except RuntimeWarning as told:
    print("at the top:", told)
