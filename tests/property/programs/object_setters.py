"""Properties that are stored, and copies of objects."""

import copy
import sys

import numpy as np


class Signal:
    def __init__(self, data, rate):
        self._data = np.asarray(data, dtype=float)
        self.rate = rate
        self._spec = None

    @property
    def data(self):
        return self._data

    @data.setter
    def data(self, value):
        self._data = np.asarray(value, dtype=float)
        self._spec = None

    def spectrum(self):
        if self._spec is None:
            self._spec = np.abs(np.fft.rfft(self._data * np.hanning(self._data.size)))
        return self._spec

    def peak(self):
        s = self.spectrum()
        return np.fft.rfftfreq(self._data.size, 1 / self.rate)[np.argmax(s)]


def main(path):
    t = np.arange(2048) / 512
    s = Signal(np.sin(2 * np.pi * 50 * t), 512)
    first = copy.deepcopy(s)
    p = s.peak()
    s.data = s.data[::-1] ** 2
    s.data = np.cos(s.data) + first.data
    first.data[:10] = 0.0
    twin = copy.copy(s)
    twin.data = twin.data * 2.0
    print(p, s.peak(), first.peak())
    np.savez(path, sp=s.spectrum(), d=s.data, p=p, f=first.data, t=twin.data)


if __name__ == "__main__":
    main(sys.argv[1])
