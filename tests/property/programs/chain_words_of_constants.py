"""Kernels read numbers of the module beside what is computed of the same numbers."""

import math

import numpy as np

LAT0 = 47.0
GAIN = 2.0


def place(north, east):
    lat = LAT0 + np.degrees(north / 6.0)
    lon = 8.0 + np.degrees(east / (6.0 * math.cos(math.radians(LAT0))))
    return lat, lon


def first(x):
    return np.sqrt(x * GAIN) + np.exp(-x * math.sqrt(GAIN)) * GAIN


def second(y, GAIN_in):
    return np.sqrt(y * GAIN) + np.exp(-y * math.sin(GAIN)) * GAIN * GAIN_in


def third(y, GAIN_in):
    z = np.sqrt(y * GAIN) + np.exp(-y * math.cos(GAIN)) * GAIN * GAIN_in
    return z


def both(u, v):
    a = np.sin(u * float(GAIN)) * abs(GAIN) + v * GAIN
    b = np.cos(v * LAT0) / pow(LAT0, 0.5)
    return a, b


rng = np.random.default_rng(0)
n, e = rng.random(2000), rng.random(2000)
for _ in range(3):
    a, b = place(n, e)
    n = n + 0.01 * np.tanh(a) + 0.001 * first(b) + 0.001 * second(a, 3.0) + 0.001 * third(b, 3.0)
    p, q = both(n, e)
    e = e + 0.001 * np.sin(p) + 0.01 * q
print(f"{n.sum():.9f} {e.sum():.9f}")
