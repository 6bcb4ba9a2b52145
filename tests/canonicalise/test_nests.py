"""Loop nests over elements as maps: the same results, or a reason."""

from __future__ import annotations

import pytest

START = "import numpy as np\nrng = np.random.default_rng(0)\n"

LOOPS = {
    "stencil with slices in a time loop": """
def f(u, v):
    for _ in range(3):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                around = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]
                v[i, j] = 0.25 * around
        u, v = v, u
    return u
RESULT = f(rng.random((6, 7)), rng.random((6, 7)))
""",
    "rows of arrays": """
def f(x):
    d = np.zeros((len(x), len(x)))
    for i in range(len(x)):
        for j in range(len(x)):
            diff = x[i] - x[j]
            d[i, j] = np.sqrt(np.sum(diff ** 2))
    return d
RESULT = f(rng.random((5, 3)))
""",
    "a small array that the iteration changes": """
def f(x, y):
    for i in range(len(x)):
        acc = np.zeros(2)
        acc[0] = x[i]
        acc[1] = acc[0] * 2
        acc[0] += 1.0
        y[i] = acc[0] - acc[1]
    return y
RESULT = f(rng.random(5), np.zeros(5))
""",
    "a loop of any number of rounds inside": """
def f(xs, ys, limit):
    counts = np.zeros((len(ys), len(xs)), dtype=np.int64)
    for i in range(len(ys)):
        for j in range(len(xs)):
            zr = zi = 0.0
            k = 0
            while k < limit and zr * zr + zi * zi <= 4.0:
                zr, zi = zr * zr - zi * zi + xs[j], 2.0 * zr * zi + ys[i]
                k += 1
            counts[i, j] = k
    return counts
RESULT = f(np.linspace(-2, 1, 7), np.linspace(-1, 1, 5), 20)
""",
    "elements, enumerate and zip": """
def f(x, y, out):
    for i, v in enumerate(x):
        out[i, 0] = v
    for k, (a, b) in enumerate(zip(x, y)):
        out[k, 1] = a * b
    return out
v = rng.random(5)
RESULT = f(v, v + 1, np.zeros((5, 2)))
""",
    "conditions, negative steps and views": """
def f(x, out):
    row = out[0]
    for i in range(len(x) - 1, -1, -1):
        if x[i] > 0.5:
            t = x[i]
        elif x[i] > 0.25:
            t = -x[i]
        else:
            t = 0.0
        row[i] = t
    for i in range(0, len(x), 2):
        out[1, i] = x[-1]
    return out
RESULT = f(rng.random(7), np.zeros((2, 7)))
""",
    "an accumulating inner loop that ends early": """
def f(x, out):
    for i in range(x.shape[0]):
        s = 0.0
        for j in range(x.shape[1]):
            if x[i, j] > 0.9:
                break
            s += x[i, j]
        out[i] = s
    return out
RESULT = f(rng.random((6, 8)), np.zeros(6))
""",
    "a slice of an iteration": """
def f(x, out):
    for i in range(x.shape[0]):
        out[i, 1:-1] = x[i, 2:] - 2 * x[i, 1:-1] + x[i, :-2]
    return out
RESULT = f(rng.random((4, 9)), np.zeros((4, 9)))
""",
    "rows of a matrix, by themselves and with others": """
def f(a, b, out):
    for i, row in enumerate(a):
        out[i, 0] = row.sum() + row[0]
    for row, v, target in zip(a, b, out):
        target[1] = row[1] * v
    return out
RESULT = f(rng.random((5, 3)), rng.random(5), np.zeros((5, 2)))
""",
    "attributes of objects": """
class Grid:
    def __init__(self, n):
        self.u, self.v, self.h = rng.random(n), np.zeros(n), 0.5
    def step(self):
        for i in range(1, len(self.u) - 1):
            self.v[i] = (self.u[i - 1] + self.u[i + 1]) * self.h
        return self.v
RESULT = Grid(9).step()
""",
    "small functions of the program": """
def clamp(v, low):
    t = v if v > low else low
    return t * t
def blend(row, w):
    return (row * w).sum()
def f(x, a, out):
    for i in range(len(x)):
        out[i] = clamp(x[i], 0.5) + clamp(x[i] * 2, 0.25) * blend(a[i], 2.0)
    return out
RESULT = f(rng.random(6), rng.random((6, 4)), np.zeros(6))
""",
    "triangle": """
def f(a, out):
    for i in range(a.shape[0]):
        for j in range(i + 1):
            out[i, j] = a[i, j] + a[j, i]
    return out
RESULT = f(rng.random((5, 5)), np.zeros((5, 5)))
""",
    "broadcasting inside an iteration": """
def f(a, b, out):
    for i in range(a.shape[0]):
        out[i] = (a[i][:, None] * b[None, :] + 1.0).sum()
    return out
RESULT = f(rng.random((4, 3)), rng.random(6), np.zeros(4))
""",
    "constants of the module and float32": """
SCALE = 3
def f(x, out):
    for i in range(len(x)):
        out[i] = x[i] * SCALE + np.pi
    return out
RESULT = f(rng.random(5).astype(np.float32), np.zeros(5, np.float32))
""",
}


@pytest.mark.parametrize("name", LOOPS)
def test_maps_compute_the_same(same, name):
    made = same(START + LOOPS[name])
    assert made.regions, made.left


REDUCTIONS = {
    "a sum": """
def f(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    return s
RESULT = f(rng.random(5))
""",
    "a sum over a nest, and a product": """
def f(x):
    s, p = 1.0, 2.0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            s -= x[i, j]
            p *= 1.0 + x[i, j]
    return [s, p]
RESULT = f(rng.random((5, 4)))
""",
    "a sum under conditions": """
def f(x):
    s, n = 0.0, 0
    for i in range(len(x)):
        if x[i] > 0.5:
            s += x[i]
            n += 1
        elif x[i] < 0.25:
            s += 2 * x[i]
        s += 1.0
    return [s, n]
RESULT = f(rng.random(9))
""",
    "extremes of Python": """
def f(x):
    big, small = x[0], x[0]
    for i in range(len(x)):
        big = max(big, x[i])
        small = min(small, x[i])
    return [big, small]
RESULT = f(rng.random(9))
""",
    "an extreme where NaN is": """
def f(x):
    big, small = 0.0, 0.0
    for i in range(len(x)):
        big = max(big, x[i])
        small = np.minimum(small, x[i])
    return [big, small]
RESULT = f(np.array([1.0, np.nan, 3.0, np.nan]))
""",
    "what the last iteration leaves": """
def f(x):
    last = -1.0
    for i in range(len(x)):
        last = x[i] * 2
    return last
RESULT = [f(rng.random(4)), f(np.zeros(0))]
""",
    "stores and a sum": """
def f(x, out):
    s = 0.0
    for i in range(len(x)):
        out[i] = x[i] * 2
        s += out[i]
    return s
RESULT = f(rng.random(4), np.zeros(4))
""",
    "elements that are updated": """
def f(x, place, out):
    for i in range(len(x)):
        out[0] += x[i]
        out[i + 1] *= x[i]
    return out
RESULT = f(rng.random(4), 3, np.ones(5))
""",
}


@pytest.mark.parametrize("name", REDUCTIONS)
def test_what_iterations_put_together(same, name):
    made = same(START + REDUCTIONS[name])
    assert made.regions, made.left


REFUSED = {
    "goes from one iteration to the next": """
def f(x):
    s = 0.0
    for i in range(len(x)):
        s = np.sin(s) + x[i]
    return s
RESULT = f(rng.random(5))
""",
    "is a sum and something else": """
def f(x):
    s = 1.0
    for i in range(len(x)):
        s += x[i]
        s *= 2.0
    return s
RESULT = f(rng.random(5))
""",
    "is set under a condition": """
def f(x):
    s = 1.0
    for i in range(len(x)):
        if x[i] > 0.5:
            s = x[i]
    return s
RESULT = f(rng.random(5))
""",
    "left before its end": """
def f(x, out):
    for i in range(len(x)):
        if x[i] > 0.9:
            break
        out[i] = x[i]
    return out
RESULT = f(rng.random(5), np.zeros(5))
""",
    "is changed between two reads": """
def f(x, out):
    for i in range(len(x)):
        d = x[i] * 2
        x[i, 0] = 5.0
        out[i] = d[0] + d[1]
    return out
RESULT = f(rng.random((5, 2)), np.zeros(5))
""",
    "a slice is computed from the array that it belongs to": """
def f(x):
    for i in range(x.shape[0]):
        x[i, 1:] = x[i, :-1] * 2
    return x
RESULT = f(rng.random((3, 16)))
""",
    "does more than compute elements": """
def g(v):
    str(v)
    return v + 1
def f(x, out):
    for i in range(len(x)):
        out[i] = g(x[i])
    return out
RESULT = f(rng.random(5), np.zeros(5))
""",
    "changed under a condition": """
def f(x, out):
    for i in range(len(x)):
        a = np.zeros(2)
        if x[i] > 0.5:
            a[0] = 1.0
        out[i] = a[0]
    return out
RESULT = f(rng.random(5), np.zeros(5))
""",
}


@pytest.mark.parametrize("reason", REFUSED)
def test_what_is_no_map_says_why(same, reason):
    made = same(START + REFUSED[reason])
    assert any(reason in left for left in made.left), made.left
