from functools import partial

import numpy as np


def pick(b, k):
    return b[k] * 2


def safe(f, b, k):
    try:
        return f(b, k)
    except IndexError:
        return b * 0


class Source:
    """Its methods are called by syntax alone."""

    def __init__(self, b, k=None):
        self.b, self.k = b if k is None else b[k], k

    def __iter__(self):
        for i in range(2):
            yield self.b[RANGE] * i

    def __call__(self, k):
        return self.b[k] * 2

    def __getitem__(self, k):
        return self.b[k] * 2

    def __add__(self, k):
        return Source(self.b[k])


RANGE = np.arange(4) * 1000


def attempts(b, k):
    source = Source(b)
    renamed = pick
    partly = partial(pick, b)
    inner = lambda q: b[q] * 2
    done = []
    try:
        renamed(b, k)
        done.append("renamed")
    except IndexError:
        pass
    try:
        partly(k)
        done.append("partly")
    except IndexError:
        pass
    try:
        inner(k)
        done.append("inner")
    except IndexError:
        pass
    try:
        source(k)
        done.append("called")
    except IndexError:
        pass
    try:
        source[k]
        done.append("indexed")
    except IndexError:
        pass
    try:
        source + k
        done.append("added")
    except IndexError:
        pass
    try:
        Source(b, k)
        done.append("made")
    except IndexError:
        pass
    try:
        for _ in source:
            done.append("gone over")
    except IndexError:
        pass
    return done


def main():
    b = np.sqrt(np.linspace(0.0, 1.0, 3000)) * 2 + 1
    k = np.arange(4) * 1000
    b = np.sin(b) + 2
    print(attempts(b, k))
    print(np.cos(safe(pick, b, k)).sum(), np.cos(b).sum())


main()
