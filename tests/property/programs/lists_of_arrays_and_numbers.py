"""Lists in which numbers, or nothing, stand beside arrays."""

import numpy as np


def totals(of):
    return [np.sum(one) for one in of]


def those_given(of):
    found = []
    for one in of:
        if one is None:
            continue
        found.append(np.sum(one) * 2)
    return found


def first_and_second(pair):
    return np.exp(pair[0]).sum() + np.sum(pair[1])


def main():
    x = np.sin(np.arange(10000) * 0.01)
    for one in totals([x, 3, 2.5]) + those_given([x, None, 3]) + totals([x, x + 1]):
        print(type(one), np.round(one, 5))
    print(np.round(first_and_second([x, 3]), 5), np.round(first_and_second((x, x)), 5))


main()
