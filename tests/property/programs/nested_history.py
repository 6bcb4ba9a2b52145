import numpy as np


def main():
    x = np.linspace(0.0, 1.0, 10000)
    hist = {"u": [], "v": []}
    u, v = np.sin(x), np.cos(x)
    for k in range(5):
        u, v = u + 0.1 * v, v - 0.1 * u
        hist["u"].append(u)
        hist["v"].append(v)
    print(np.stack(hist["u"]).sum(), np.stack(hist["v"]).mean())


main()
