"""Tuples that are written with what a generator goes through there and then, of an instance."""

import sys

import numpy as np


class Train:
    """Matrices in a row, as in a tensor train."""

    def __init__(self, cores):
        self.cores = list(cores)

    @property
    def ranks(self):
        return (1, *(core.shape[2] for core in self.cores))

    def full(self):
        out = self.cores[0]
        for core in self.cores[1:]:
            out = np.tensordot(out, core, axes=1)
        return out[0, ..., 0]


def main():
    x = np.linspace(0.1, 1.0, 4)
    steps = np.arange(1.0, 4.0)
    cores = [
        np.sin(x[None, :, None] * steps),
        np.cos(x[:3, None, None] * x[None, :, None] * steps[:2]),
        np.exp(-x[:2, None, None] * x[None, :, None]),
    ]
    train = Train(cores)
    full = train.full()
    print(train.ranks, full.shape)
    np.savez(sys.argv[1], full=full, ranks=train.ranks)


main()
