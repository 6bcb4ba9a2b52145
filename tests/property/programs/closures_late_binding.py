import numpy as np


def late_binding():
    fs = [lambda x: x * k for k in range(3)]
    gs = []
    for s in (0.5, 2.0):
        def g(x):
            return np.sin(x) * s
        gs.append(g)
    x = np.linspace(0, 1, 5)
    return [f(x) for f in fs] + [g(x) for g in gs]


def main():
    for one in late_binding():
        print(f'{one.sum():.6f}')


main()
