import numpy as np


def resample(x, y, t):
    return np.interp(t[::2], x, y).sum(), np.interp(t, x, y).sum()


def main():
    x = np.linspace(0, 1, 1000)
    print(resample(x, np.sin(x), np.linspace(0, 1, 5000)))


main()
