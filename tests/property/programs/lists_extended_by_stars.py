"""A list to which a list with a star was added, and then one of arrays."""

import numpy as np


def gathered(n, given):
    x = np.linspace(0.1, 2, n)
    found = [given[0].sum()]
    found += [1, *given]

    def waves(of):
        return [np.exp(one) + 1 for one in of]

    found += waves([x, np.sin(x)])
    return found


def of_unknown(n, found):
    x = np.linspace(0.1, 2, n)
    y = np.exp(np.sin(x) * 2)
    found += [y, np.sqrt(y)]
    return found


def main():
    for one in gathered(50000, [np.ones(3)]):
        print(type(one), np.round(np.sum(one), 4))
    for one in of_unknown(50000, []):
        print(type(one), np.round(np.sum(one), 4))


main()
