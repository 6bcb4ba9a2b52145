"""Loops that hand values from one iteration to the next: programs with a RESULT."""

from __future__ import annotations

START = "import numpy as np\nimport math\nrng = np.random.default_rng(0)\n"
VALUES = "np.array([0.5, 2.0, np.nan, 3.0, 3.0, -1.0, -1.0, 0.0])"

EXTREMES = {
    "the first of several": f"""
def f(x):
    m, k = x[0], 0
    for i in range(1, len(x)):
        if x[i] > m:
            m, k = x[i], i
    return [m, k]
RESULT = f({VALUES})
""",
    "the last of several": f"""
def f(x):
    m = -np.inf
    k = -1
    for i, v in enumerate(x):
        if m <= v:
            k = i
            m = v
    return [m, k]
RESULT = f({VALUES})
""",
    "the least, with its place in a nest": """
def f(x):
    low, row, column = 10.0, 0, 0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            if x[i, j] < low:
                low, row, column = x[i, j], i, j
    return [low, row, column]
RESULT = f(rng.integers(0, 5, (4, 6)) / 2)
""",
    "of some points": """
def f(x, c):
    m, k = 0.0, -1
    for i in range(len(x)):
        if c[i]:
            if abs(x[i]) >= m:
                m, k = abs(x[i]), i
    return [m, k]
RESULT = f(rng.random(9), rng.random(9) > 0.5)
""",
    "of some points in one condition": """
def f(x, c):
    m, k, s = 0.0, -1, 0.0
    for i in range(len(x)):
        if c[i] > 0.3 and x[i] > m:
            m, k = x[i], i
        s += x[i]
    return [m, k, s]
RESULT = f(rng.random(9), rng.random(9))
""",
    "with nothing beside it": f"""
def f(x):
    big, small = x[0], x[0]
    for v in x:
        if v > big:
            big = v
        if v <= small:
            small = v
    return [big, small]
RESULT = f({VALUES})
""",
    "where it begins with NaN, and of nothing": """
def f(x):
    m, k = np.nan, -1
    for i in range(len(x)):
        if x[i] > m:
            m, k = x[i], i
    return [m, k]
RESULT = [f(x) for x in [rng.random(3), np.zeros(0)]]
""",
    "under another condition in each arm": """
def f(x, c):
    m, k = 0.0, -1
    for i in range(len(x)):
        if c[i] > 0.5:
            if x[i] > m:
                m, k = x[i], i
        else:
            if c[i] > m:
                m, k = c[i], -i
    return [m, k]
RESULT = f(rng.random(9), rng.random(9))
""",
}
LAST_VALUES = {
    "under a condition": """
def f(x):
    last, k = -1.0, 0
    for i in range(len(x)):
        if x[i] > 0.5:
            last = x[i]
            k = i
    return [last, k]
RESULT = [f(x) for x in [rng.random(9), np.zeros(3)]]
""",
    "under several": """
def f(x, c):
    last = -1.0
    n = 0
    for i in range(len(x)):
        if x[i] > 0.5:
            if c[i]:
                last = x[i]
            else:
                n += 1
        elif x[i] < 0.1:
            last = c[i] * 2.0
        if x[i] > 0.9:
            last = 7.0
    return [last, n]
RESULT = f(rng.random(9), rng.random(9) > 0.5)
""",
}
SEARCHES = {
    "a place": """
def f(x):
    k = -1
    for i in range(len(x)):
        if x[i] > 0.5:
            k = i
            break
    return k
RESULT = [f(x) for x in [rng.random(9), np.zeros(4), np.zeros(0)]]
""",
    "the index itself": """
def f(x):
    for i in range(len(x)):
        if x[i] > 0.9:
            break
    return i
RESULT = [f(x) for x in [rng.random(30), np.zeros(4)]]
""",
    "whether there is one, and which": """
def f(x, y):
    found, value = False, 0.0
    for a, b in zip(x, y):
        d = a * b
        if not d < 0.5:
            found, value = True, d
            break
    return [found, value]
x = rng.random(9)
RESULT = [f(x, x + 0), f(x, x * 0)]
""",
    "what is computed behind the condition": """
def f(x):
    t = 0.0
    for i in range(len(x)):
        if x[i] > 0.8:
            break
        t = x[i] * 2
    return i
RESULT = f(rng.random(9))
""",
}
SCANS = {
    "running sums and products": """
def f(x, y):
    s, p = 0.0, 1.0
    for i in range(len(x)):
        s += x[i]
        p = p * (1.0 + x[i])
        y[i, 0] = s
        y[i, 1] = p
    return [s, p, y.sum()]
RESULT = f(rng.random(9), np.zeros((9, 2)))
""",
    "what is there before an iteration": """
def f(x, y):
    s = 1.5
    for i in range(len(x)):
        y[i] = s
        s += x[i]
    return y + s
RESULT = f(rng.random(9), np.zeros(9))
""",
    "running extremes": f"""
def f(x, y):
    m, n = x[0], x[0]
    for i in range(len(x)):
        m = max(m, x[i])
        n = np.minimum(n, x[i])
        y[i] = m
        y[i + 8] = n
    return y
RESULT = f({VALUES}, np.zeros(16))
""",
    "of some points, of whole numbers and downwards": """
def f(x, y):
    n, s = 0, x[0]
    for i in range(len(x) - 1, 0, -2):
        if x[i] > 3:
            n += 1
            s += x[i]
        y[i] = s * 10 + n
    return y
RESULT = f(rng.integers(0, 9, 12), np.zeros(12))
""",
    "single precision": """
def f(x, y):
    s = 0.0
    for v in x:
        s += v
    k = np.float32(0)
    for i in range(len(x)):
        k += x[i] / 3
        y[i] = k * s
    return y
RESULT = f(rng.random(9).astype(np.float32), np.zeros(9, np.float32))
""",
    "the value of the iteration before": """
def f(x, y):
    before = x[0]
    for i in range(1, len(x)):
        now = x[i] * x[i]
        y[i] = now - before
        before = now
    return y - before
RESULT = f(rng.random(9), np.zeros(9))
""",
    "a running sum of running sums": """
def f(x, y):
    s = t = 0.0
    for i in range(3, len(x), 3):
        s += x[i]
        t += s
        y[i] = t
    return y
RESULT = f(rng.random(20), np.zeros(20))
""",
    "a product with a running sum": """
def f(w, x):
    total, depth = 0.0, 0.0
    for i in range(len(x)):
        depth += x[i]
        total += w[i] * math.exp(-depth)
    return [total, depth]
RESULT = f(rng.random(9), rng.random(9))
""",
}
LISTS = {
    "a comprehension": """
def f(x):
    return np.array([v * 2 + 1 for v in x]) * 3
RESULT = f(rng.random(9))
""",
    "items that are appended, and a sum": """
def f(x):
    out = []
    s = 0.0
    for i in range(1, len(x)):
        d = x[i] - x[i - 1]
        out.append(d * d)
        s += d
    a = np.asarray(out)
    return np.concatenate([a, np.sqrt(a), a[::-1] + s])
RESULT = f(rng.random(9))
""",
    "some of the items": """
def f(x):
    out = []
    for i in range(len(x)):
        if x[i] > 0.5:
            out.append(x[i] * i)
    a = np.array(out)
    y = np.zeros(len(a))
    for k in range(len(a)):
        y[k] = a[k] + len(a)
    return y
RESULT = np.concatenate([f(x) for x in [rng.random(9), np.zeros(3), rng.random(4)]])
""",
    "a comprehension with a condition": """
def f(x, y):
    return np.array([a * b for a, b in zip(x, y) if a < b])
RESULT = f(rng.random(9), rng.random(9))
""",
    "one item or another, of two lists": """
def f(x):
    small, all_ = [], []
    for v in x:
        if v < 0.5:
            small.append(v)
            all_.append(-v)
        else:
            all_.append(v)
    return np.array(all_).sum() * np.array(small)
RESULT = f(rng.random(9))
""",
    "points that are left out": """
def f(x):
    out = []
    for v in x:
        if v < 0.3:
            continue
        out.append(v)
    return np.array(out)
RESULT = f(rng.random(12))
""",
}
GOING_ON = {
    "sums, counts and extremes": """
def f(x, c):
    s, n, m, k = 0.0, 0, 0.0, -1
    for i in range(len(x)):
        if x[i] < 0.2:
            n += 1
            continue
        if c[i] > 0.5:
            s += x[i]
            continue
        s -= c[i]
        if x[i] > m:
            m, k = x[i], i
    return [s, n, m, k]
RESULT = f(rng.random(19), rng.random(19))
""",
    "a nest, and a last value": """
def f(x):
    s, last = 0.0, -1
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            if i == j:
                continue
            s += x[i, j]
            if x[i, j] > 0.5:
                last = i * 10 + j
    return [s, last]
RESULT = f(rng.random((5, 5)))
""",
    "a running total where points are left out": """
def f(x, y):
    s = 0.0
    for i in range(len(x)):
        y[i] = s
        if x[i] > 0.5:
            continue
        s += x[i]
    return y
RESULT = f(rng.random(9), np.zeros(9))
""",
}
TAKEN = {**GOING_ON, **LISTS, **SCANS, **EXTREMES, **LAST_VALUES, **SEARCHES}

REFUSED = {
    "a list that is kept": (
        "more than compute elements",
        """
def f(x):
    out = []
    for v in x:
        out.append(v)
    out.append(1.0)
    return np.array(out)
RESULT = f(rng.random(5))
""",
    ),
    "two items of one iteration": (
        "more than compute elements",
        """
def f(x):
    out = []
    for v in x:
        out.append(v)
        if v > 0.5:
            out.append(-v)
    return np.array(out)
RESULT = f(rng.random(5))
""",
    ),
    "a list that is read while it is filled": (
        "is that of an array made here",
        """
def f(x):
    out = []
    for v in x:
        out.append(v + len(out))
    return np.array(out)
RESULT = f(rng.random(5))
""",
    ),
    "a list of whole numbers that may stay empty": (
        "whatever they would have been",
        """
def f(x):
    out = []
    for k in x:
        if k > 9:
            out.append(k)
    return np.array(out).sum() / 2
RESULT = f(np.arange(5))
""",
    ),
    "a recurrence that is no running total": (
        "is a sum and something else",
        """
def f(x, y):
    s = 0.0
    for i in range(len(x)):
        s = 0.9 * s + x[i]
        y[i] = s
    return y
RESULT = f(rng.random(9), np.zeros(9))
""",
    ),
    "two that rest on one another": (
        "goes from one iteration to the next",
        """
def f(y):
    a, b = 0.0, 1.0
    for i in range(len(y)):
        a, b = b, a + b
        y[i] = a
    return y
RESULT = f(np.zeros(9))
""",
    ),
    "a total that is read between two changes": (
        "read between two changes",
        """
def f(x, y):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
        y[i] = s
        s += 1.0
    return y
RESULT = f(rng.random(9), np.zeros(9))
""",
    ),
    "a total of what iterations store": (
        "is changed where a running total reads it",
        """
def f(x):
    s = 0.0
    for i in range(len(x) - 1):
        s += x[i]
        x[i + 1] = s
    return x
RESULT = f(rng.random(9))
""",
    ),
    "another value than the one compared": (
        "goes from one iteration to the next",
        """
def f(x):
    m, k = 0.0, 0
    for i in range(len(x)):
        if x[i] > m:
            m, k = x[i] * 2, i
    return [m, k]
RESULT = f(rng.random(9))
""",
    ),
    "how often the extreme changes": (
        "goes from one iteration to the next",
        """
def f(x):
    m, n = 0.0, 0
    for i in range(len(x)):
        if x[i] > m:
            m = x[i]
            n += 1
    return [m, n]
RESULT = f(rng.random(9))
""",
    ),
    "what is done where the extreme does not change": (
        "goes from one iteration to the next",
        """
def f(x):
    big, small = x[0], x[0]
    for i in range(len(x)):
        if x[i] > big:
            big = x[i]
        elif x[i] < small:
            small = x[i]
    return [big, small]
RESULT = f(rng.random(9))
""",
    ),
    "what belongs to it in one arm alone": (
        "is an extreme of several kinds",
        """
def f(x, c):
    m, j, k = 0.0, -1, -1
    for i in range(len(x)):
        if c[i] > 0.5:
            if x[i] > m:
                m, k = x[i], i
        elif x[i] > m:
            m, j = x[i], i
    return [m, j, k]
RESULT = f(rng.random(9), rng.random(9))
""",
    ),
    "a value that two carried ones share": (
        "is a sum and something else",
        """
def f(x):
    a, b = 1.0, 2.0
    for i in range(len(x)):
        if x[i] > 0.5:
            a, b = a + 1.0, b + 1.0
        else:
            a, b = b + 1.0, a + 1.0
    return [a, b]
RESULT = f(rng.random(9))
""",
    ),
    "a last value that is read": (
        "goes from one iteration to the next",
        """
def f(x, out):
    last = 0.0
    for i in range(len(x)):
        out[i] = last
        if x[i] > 0.5:
            last = x[i]
    return out
RESULT = f(rng.random(9), np.zeros(9))
""",
    ),
    "a last value that is a sum as well": (
        "is a sum and something else",
        """
def f(x):
    last = 0.0
    for i in range(len(x)):
        last += 1.0
        if x[i] > 0.5:
            last = x[i]
    return last
RESULT = f(rng.random(9))
""",
    ),
    "a sum up to the hit": (
        "is what iterations made before",
        """
def f(x):
    s = 0.0
    for i in range(len(x)):
        if x[i] > 0.8:
            break
        s += x[i]
    return s
RESULT = f(rng.random(9))
""",
    ),
    "the value before the hit": (
        "is what iterations made before",
        """
def f(x):
    t = 0.0
    for i in range(len(x)):
        if x[i] > 0.8:
            break
        t = x[i]
    return t
RESULT = f(rng.random(9))
""",
    ),
    "stores up to the hit": (
        "and stores",
        """
def f(x, out):
    k = -1
    for i in range(len(x)):
        out[i] = x[i]
        if x[i] > 0.5:
            k = i
            break
    return [k, out.sum()]
RESULT = f(rng.random(9), np.zeros(9))
""",
    ),
    "two ways out": (
        "left before its end",
        """
def f(x):
    k = -1
    for i in range(len(x)):
        if x[i] > 0.5:
            k = i
            break
        if x[i] < 0.1:
            break
    return k
RESULT = f(rng.random(9))
""",
    ),
    "what is read by places of data where the extreme changes": (
        "more than elements and numbers",
        """
def f(x, at):
    m, v = 0.0, 0.0
    for i in range(len(x)):
        if x[i] > m:
            m, v = x[i], x[at[i]]
    return [m, v]
RESULT = f(rng.random(4), np.arange(4))
""",
    ),
}
