import numpy as np


def run(y0, n):
    history = []
    y = y0

    def rate():
        return -y + np.cos(y)

    def norm():
        return float(np.sqrt((y * y).sum()))

    for i in range(n):
        y = y + 0.05 * rate()
        history.append(norm())
    with np.errstate(all="ignore"):
        y = y / y.max()
    history.append(norm())
    for y in (np.ones(5000), np.zeros(5000)):
        history.append(norm())
    return y, history


def main():
    y, h = run(np.linspace(0.0, 3.0, 5000), 20)
    print(f"{y.sum():.6f}")
    print(" ".join(f"{v:.6f}" for v in h))


main()
