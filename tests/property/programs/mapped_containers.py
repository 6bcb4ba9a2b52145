"""NumPy functions mapped over lists and dicts of arrays of several lengths."""

import numpy as np


def waves(n):
    return [np.cos(np.arange(n + k) * k) * k for k in range(4)]


def chosen_of_dict(n):
    held = {f"k{k}": wave for k, wave in enumerate(waves(n))}
    for wave in held.values():
        wave.sort()
        print(wave[0])
    held["k1"].tofile("held.bin")
    best = max(map(np.sin, held.values()), key=lambda a: a.sum())
    print(best.sum().round(4))


def chosen_of_list(n):
    held = waves(n)
    held[1].tofile("held.bin")
    best = max(map(np.sin, held), key=lambda a: a.sum())
    print(best.sum().round(4))
    print([a.sum().round(3) for a in map(np.exp, held)])


def main():
    chosen_of_dict(100000)
    chosen_of_list(100000)


main()
