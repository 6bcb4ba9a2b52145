import numpy as np


def main():
    x = np.linspace(0.0, 1.0, 10000)
    a5 = [[np.sin(x) * k for k in range(3)] for j in range(3)]
    a6 = []
    for j in range(3):
        row = []
        for k in range(3):
            row.append(np.cos(x) * j)
        a6.append(row)
    d = {"a": [np.exp(x)], "b": [np.exp(-x)]}
    print(a5[1][2].sum(), a6[2][1].sum(), d["a"][0].sum())
    pairs = [(np.exp(x * k), np.sin(x * k)) for k in range(4)]
    for a, b in pairs:
        print((a * b).sum())


main()
