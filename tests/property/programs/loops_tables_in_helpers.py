"""Helpers that a loop calls for each element, and that read arrays of their module."""

import math

import numpy as np

TABLE = np.array([1.0, 2.0, 4.0, 8.0])
KNOTS = np.linspace(0.0, 1.0, 6)
SPHERES = np.array([[0.0, 0.0, 3.0, 1.0], [1.2, 0.3, 2.5, 0.5]])
COUNTS = np.zeros(5, dtype=np.int64)
CHANGING = np.ones(4)
REBOUND = np.ones(3)


def look(i, x):
    s = x
    for k in range(len(TABLE)):
        s += TABLE[k] * i
    return s


def interpolate(x):
    """Goes through the module's knots, and calls another helper that reads them too."""
    k = 0
    while k < len(KNOTS) - 2 and KNOTS[k + 1] <= x:
        k += 1
    return weight(k, x) * TABLE[k % 4]


def weight(k, x):
    return (x - KNOTS[k]) / (KNOTS[k + 1] - KNOTS[k])


def distance(x, y, z):
    d = y + 1.0
    for k in range(len(SPHERES)):
        dx = x - SPHERES[k, 0]
        dy = y - SPHERES[k, 1]
        dz = z - SPHERES[k, 2]
        d = min(d, math.sqrt(dx * dx + dy * dy + dz * dz) - SPHERES[k, 3])
    return d


def fill(n):
    out = np.zeros(n)
    for i in range(n):
        out[i] = look(i % 3, 0.5)
    return out


def resample(x: np.ndarray):
    y = np.empty(len(x))
    for i in range(len(x)):
        y[i] = interpolate(x[i])
    return y


def march(n):
    depth = np.full((n, n), np.inf)
    for j in range(n):
        for i in range(n):
            t = 0.0
            for _ in range(40):
                d = distance(t * (i - n / 2) / n, t * (n / 2 - j) / n, t)
                if d < 1e-3:
                    depth[j, i] = t
                    break
                t += d
                if t > 20.0:
                    break
    return depth


def shadowed(n):
    """A local of the same name is another array than the one that the helper reads."""
    TABLE = np.arange(4.0)
    out = np.zeros(n)
    for i in range(n):
        out[i] = look(i % 3, 0.5) + TABLE[i % 4]
    return out


def tally(k):
    COUNTS[k] += 1
    return COUNTS[k]


def tallied(x: np.ndarray):
    """A helper that writes into the array of the module: its order counts."""
    seen = np.zeros(len(x), dtype=np.int64)
    for i in range(len(x)):
        seen[i] = tally(int(x[i] * 5) % 5)
    return seen


def scaled(k):
    return 2.0 * CHANGING[k]


def changing(out: np.ndarray):
    """What it writes may be what the helper reads."""
    for i in range(1, len(out)):
        out[i] = scaled(i - 1)
    return out


def rebound(k):
    return REBOUND[k % 3]


def through_rebound(n):
    out = np.zeros(n)
    for i in range(n):
        out[i] = rebound(i) + i
    return out


def set_rebound(values):
    global REBOUND
    REBOUND = values


def conditional(x: np.ndarray):
    """Where it is called now and then, it cannot stand before the statement."""
    out = np.zeros(len(x))
    for i in range(len(x)):
        if x[i] > 0.5 and look(i % 2, x[i]) > 3.0:
            out[i] = look(1, x[i])
    return out


def beyond(x: np.ndarray):
    """The last place is none of the table."""
    out = np.zeros(len(x))
    try:
        for i in range(len(x)):
            out[i] = scaled(i)
    except IndexError as error:
        print("beyond", type(error).__name__)
    return out


def main():
    rng = np.random.default_rng(4)
    x = rng.random(9)
    print(fill(7), np.round(resample(x), 12))
    print(np.round(march(8), 10))
    print(shadowed(6))
    print(tallied(x), COUNTS)
    print(changing(np.arange(5.0)))
    print(changing(CHANGING), CHANGING)
    CHANGING[0] = 7.0
    print(changing(np.zeros(4)))
    print(through_rebound(4))
    set_rebound(np.array([5.0, 6.0, 7.0]))
    print(through_rebound(4))
    print(conditional(x))
    print(beyond(x))


main()
