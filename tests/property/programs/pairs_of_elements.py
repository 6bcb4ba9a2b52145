from itertools import chain, combinations, pairwise, product

import numpy as np


def rand_index(a, b):
    same = sum((a[i] == a[j]) == (b[i] == b[j]) for i, j in combinations(range(len(a)), 2))
    n = len(a)
    return same / (n * (n - 1) / 2)


def steps(a):
    found = [a[j] - a[i] for i, j in pairwise(chain(range(4), [7, 11]))]
    return [int(one) for one in found]


def table(a):
    return {(i, j): bool(a[i] < a[j]) for i, j in product(range(3), repeat=2)}


def main():
    x = np.sin(np.linspace(0, 30, 60))
    label = np.argsort(np.exp(x)) % 3
    truth = np.repeat(np.arange(3), 20)
    print(steps(label), table(label))
    print(f"{rand_index(label, truth):.5f}")


main()
