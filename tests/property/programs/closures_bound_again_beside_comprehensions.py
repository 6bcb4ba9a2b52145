import numpy as np


def main():
    y = np.linspace(0.0, 1.0, 4000)
    items = [np.ones(4000), np.cos(y)]

    def total():
        parts = [y.sum() for y in items]
        return np.sin(y) * sum(parts)

    def late():
        return np.exp(-y).sum()

    z = np.sqrt(y) + total()
    print(f"{z.sum():.8f} {late():.8f}")
    y = np.cos(y)
    print(f"{total().sum():.8f} {late():.8f}")


main()
