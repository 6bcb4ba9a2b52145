import numpy as np


def last(x):
    """What `finally` makes of it is what the code behind the loop finds."""
    found = [1.0, 2.0]
    while True:
        try:
            if x[0] >= 0:
                break
        finally:
            found = np.sin(x) * np.exp(x)
    return np.sqrt(np.abs(found)).sum(), len(found), np.array(found[:2]).tolist(), type(found).__name__


def stopped(x, y):
    """The error leaves in it what it was in the middle of the block."""
    found = None
    for k in range(3):
        try:
            found = x
            if k == 1:
                raise KeyError(k)
            found = None
        except KeyError:
            break
    found[0] = 7.0
    return np.cos(x).sum() + np.cos(y).sum(), np.array(found[:2]).tolist(), found is None


def main():
    x = np.linspace(0.0, 1.0, 3000)
    x = np.cos(x) * np.exp(-x)
    print(*last(x))
    print(*stopped(x, np.tan(x)))


main()
