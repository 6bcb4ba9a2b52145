import numpy as np


def filtered(x, fs):
    return np.nanpercentile(x, 5) * fs


def drawn(rng):
    return rng.normal(size=50).sum()


def main():
    x = np.sin(np.arange(512) / 100.0)
    for f, args in ((filtered, (x, 100.0)), (drawn, (np.random.default_rng(1),))):
        print(f.__name__, f"{f(*args):.5f}")


main()
