"""Loops over all elements of an array, one after another."""

import numpy as np


def counts(image):
    found = np.zeros(16, dtype=np.int64)
    for level in image.ravel():
        found[level] += 1
    return found


def counts_between(image, low, high):
    found = np.zeros(4)
    for value in image.flatten():
        if low <= value < high:
            found[int((value - low) / (high - low) * 4)] += 1
    return found


def doubled(table):
    out = np.zeros(table.size)
    for k, value in enumerate(table.ravel()):
        out[k] = value * 2
    return out


def many(table):
    found = 0
    for value in table.ravel():
        table[0, 0] = 5.0
        if value > 4:
            found += 1
    return found


def many_of_before(table):
    found = 0
    for value in table.flatten():
        table[0, 1] = 5.0
        if value > 4:
            found += 1
    return found


if __name__ == "__main__":
    rng = np.random.default_rng(0)
    table = rng.integers(0, 8, (6, 7)) / 8
    print(counts(rng.integers(0, 16, (5, 9))).tolist())
    print(counts_between(table, 0.25, 0.75).tolist())
    for one in (table, table.T, np.asfortranarray(table)[::2], table[:0]):
        print(doubled(one).tolist())
    print(many(table.copy()), many_of_before(table.copy()))
