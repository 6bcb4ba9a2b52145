import sys

import numpy as np

LIMIT = 4


def first_above(x, threshold):
    for i in range(len(x)):
        if x[i] > threshold:
            return i
    return None


def last_below(x, threshold):
    for i in range(len(x) - 1, -1, -1):
        if x[i] < threshold:
            return i, x[i]
    return -1, x[0]


def crossing(t, y, level):
    for i in range(1, len(y)):
        if y[i - 1] < level <= y[i]:
            part = (level - y[i - 1]) / (y[i] - y[i - 1])
            return t[i - 1] + part * (t[i] - t[i - 1])
    return float("nan")


def beside(x, table, level):
    """The table is read at the hit alone, and longer."""
    for i, v in enumerate(x):
        if v > level:
            return table[i + 1], v
    return table[0], level


def is_sorted(x):
    for i in range(len(x) - 1):
        if x[i] > x[i + 1]:
            return False
    return True


def is_symmetric(m):
    for i in range(m.shape[0]):
        for j in range(i):
            if m[i, j] != m[j, i]:
                return False
    return True


def same_row(table, row):
    for i in range(table.shape[0]):
        same = True
        for j in range(table.shape[1]):
            if table[i, j] != row[j]:
                same = False
                break
        if same:
            return i
    return -1


def cut(x, threshold, scale):
    """An array, or a number of which one caller makes an array."""
    for i in range(len(x)):
        if x[i] > threshold:
            return i * scale
    return x * scale


def rows_until(m, stop):
    """The loop around it stays; the one inside returns from it."""
    total = 0.0
    for k in range(LIMIT):
        total = total + np.sum(m) * k
        for i in range(m.shape[0]):
            if m[i, 0] * (k + 1) > stop:
                return total, i
    return total, None


def with_default(x, threshold, default):
    for v in x:
        if v > threshold:
            return default
    return x


def stored_on_the_way(x, out, threshold):
    for i in range(len(x)):
        out[i] = x[i]
        if x[i] > threshold:
            return 0
    return 1


class Series:
    def __init__(self, values):
        self.values = values
        self.name = "series"

    def argfirst(self, level):
        values = self.values
        for i in range(len(values)):
            if values[i] >= level:
                return i + 1
        return 0


def shown(value):
    return type(value).__name__, str(value)


def main():
    rng = np.random.default_rng(3)
    x = np.sin(np.arange(40.0)) + np.arange(40.0) / 10
    m = rng.integers(0, 5, (6, 6)).astype(float)
    for level in (0.5, 3.0, 99.0, -9.0):
        print(shown(first_above(x, level)), [shown(v) for v in last_below(x, level)])
        print(shown(crossing(np.arange(40.0) / 2, x, level)), shown(cut(x, level, 2)))
        print([shown(v) for v in beside(x, np.arange(60.0) * 3, level)])
        print([shown(v) for v in rows_until(m, level)], shown(Series(x).argfirst(level)))
        print(shown(with_default(x, level, 3)), shown(with_default(x, level, x[:2])))
        out = np.zeros(40)
        print(stored_on_the_way(x, out, level), out.sum())
    print(is_sorted(x), is_sorted(np.sort(x)), is_symmetric(m), is_symmetric(m + m.T))
    table = rng.integers(0, 2, (20, 3))
    print(same_row(table, np.array([1, 0, 1])), same_row(table, np.array([2, 0, 1])))
    print(first_above(np.array([]), 1.0), is_sorted(np.array([])), first_above(x[::-2], 2))
    found = first_above(x, 1.0)
    np.savez(sys.argv[1], tail=x[found:], cut=cut(x, 99.0, 2))


if __name__ == "__main__":
    main()
