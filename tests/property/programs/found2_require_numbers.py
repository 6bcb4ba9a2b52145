# BAD-PORT / silently skipped: parameters that are numbers at every call site get `require=`, so that every call takes the
# host path: the port is dead code (HOSTPATH radius is an int, not an array), while the report says "ported" and GP101
# "runs on the device". Arrays that come on the device go device -> host -> device at each call.
#   @device("radius", "sigma", require="radius")   <- kernel(s.radius, s.sigma)
#   @device("d", "side", require=("d", "side"))    <- wrap(d, self.side)
# Should: a parameter that is only an operand / range bound gets no `require`; `radius` is a number (2 * radius + 1 in arange),
# with no array parameter at all the function is a plain (undecorated) device function, as it is when called with a literal.
# Cause: analysis: call-site argument `s.radius` / `self.side` is Unknown; a unary minus / division of it then demands an array.
import sys

import numpy as np


class Settings:
    def __init__(self):
        self.radius = 3
        self.sigma = 1.5


def kernel(radius, sigma):
    ax = np.arange(-radius, radius + 1)
    xx, yy = np.meshgrid(ax, ax)
    return np.exp(-(xx**2 + yy**2) / (2.0 * sigma**2))


def wrap(d, side):
    return d - side * np.round(d / side)


if __name__ == "__main__":
    s = Settings()
    x = np.linspace(0, 3, 10)
    np.savez(sys.argv[1], k=kernel(s.radius, s.sigma), w=wrap(x, s.sigma))
