import sys

import numpy as np


class Series:
    def __init__(self, data):
        self.data = data

    def like(self):
        return Series(np.zeros_like(self.data))

    @classmethod
    def products(cls, given, order):
        result = given.like()
        for d in range(1, order):
            total = np.zeros(given.data.shape[1:])
            for i in range(1, d):
                lower = np.tril(given.data[d - i], -1)
                upper = np.triu(given.data[i], 0)
                total -= np.dot(lower, upper)
            result.data[d] = total
        return result


def turned(series, d):
    t = np.tril(series.data[d], -1)
    u = np.rot90(series.data[d])
    return np.dot(t, u) + np.linalg.matrix_power(series.data[d], 2)


rng = np.random.default_rng(4)
series = Series(rng.random((4, 3, 3)))
np.savez(sys.argv[1], a=Series.products(series, 4).data, b=turned(series, 2))
