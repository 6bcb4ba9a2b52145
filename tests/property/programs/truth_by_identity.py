import numpy as np


def main():
    x = np.sin(np.arange(400000.0))
    y = np.sort(x)
    print(np.array_equal(x, y) is False, np.allclose(np.sort(x), y) is True, np.array_equal(x, y) is not None)
    ok = np.array_equal(np.sort(x), y)
    if ok is True:
        print("ok", np.sum(x) is True, ok is not False)


main()

def same(a, b):
    return np.array_equal(np.sort(a), np.sort(b))


def run(f, x):
    return f(x, x[::-1]) is True, isinstance(f(x, x), bool)


def handed_on():
    x = np.arange(400000.0)
    print(run(same, np.sin(x) + np.cos(x)))


handed_on()
