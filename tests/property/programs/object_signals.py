"""Signals that are added to one another, with a spectrum that is computed once."""

import sys
import logging
import numpy as np

log = logging.getLogger("x")

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
    def __add__(self, other):
        return Signal(self._data + other._data, self.rate)
    def __len__(self):
        return self._data.size

def main(path):
    t = np.arange(2048) / 512
    s = Signal(np.sin(2 * np.pi * 50 * t), 512) + Signal(0.3 * np.sin(2 * np.pi * 120 * t), 512)
    log.info("peak %s", s.peak())
    p = s.peak()
    s.data = s.data[::-1] ** 2
    print(len(s), p, s.peak())
    np.savez(path, sp=s.spectrum(), d=s.data, p=p)

if __name__ == "__main__":
    main(sys.argv[1])
