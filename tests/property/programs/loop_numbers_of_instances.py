"""Numbers of an instance in loops: of other types than at first, changed between calls, arrays."""

import sys

import numpy as np


class Filter:
    def __init__(self, gain=1.0, offset=2.0):
        self.gain, self.offset = gain, offset
        self.lag = 3
        self.plain = False

    def apply(self, x: np.ndarray):
        out = np.zeros(len(x))
        for i in range(self.lag, len(x)):
            if self.plain:
                out[i] = self.gain * x[i - self.lag]
            else:
                out[i] = x[i] ** 2 + self.offset
        return out

    def total(self, x: np.ndarray):
        s = self.gain
        for i in range(self.lag):
            s += self.gain * x[i]
        return s

    def spin(self, x: np.ndarray):
        i = 0
        while i < self.lag:
            x[i] = x[i] * self.offset
            i += 1
        return x.sum()


def every(make):
    found = {}
    given = [
        (),
        (2, 3),
        (np.float32(2), np.float64(3)),
        (np.arange(3.0), 1.0),
        (1.0, np.ones(1)),
    ]
    for k, arguments in enumerate(given):
        one = make(*arguments)
        for lag in (1, 3, np.int64(5), 2.0, 7):
            one.lag = lag
            one.plain = lag == 3
            for name in ("apply", "total", "spin"):
                try:
                    result = getattr(one, name)(np.arange(6.0))
                except (TypeError, ValueError, IndexError) as error:
                    result = type(error).__name__
                found[f"{name}_{k}_{lag}"] = np.asarray(result)
    return found


np.savez(sys.argv[1], **every(Filter))
