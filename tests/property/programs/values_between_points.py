"""Splines and densities are SciPy's own objects; what they give, called, are arrays."""

import sys

import numpy as np
from scipy import interpolate, stats


class Track:
    def __init__(self, t, y):
        self.spline = interpolate.CubicSpline(t, y)
        self.line = interpolate.interp1d(t, y, kind="linear")

    def along(self, n):
        s = np.linspace(0.0, 6.0, n)
        a = np.exp(-self.spline(s) ** 2) * np.cos(s) + np.sqrt(1.0 + s * s)
        b = self.line(s)
        return a * np.tanh(a + s), b


def spread(sample, n):
    k = stats.gaussian_kde(sample)
    x = np.linspace(-2.0, 2.0, n)
    d = k(x)
    d /= d.sum()
    return np.exp(np.sin(d) + np.cos(d) * d) * np.sqrt(d), k.evaluate(x)


t = np.linspace(0.0, 6.0, 25)
y = np.sin(t)
track = Track(t, y)
y[:] = 7.0
f = interpolate.make_interp_spline(t, np.cos(t))
g = f(t[3:9] + 0.1)
g += 1.0
a, b = track.along(400)
c, d = spread(np.cos(np.arange(50.0)), 300)
np.savez(sys.argv[1], y=y, g=g, a=a, b=b, c=c, d=d, one=f(0.5))
