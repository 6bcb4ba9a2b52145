import numpy as np


def main():
    x = np.linspace(0.0, 1.0, 4000)
    queue = [[x[:10], 1.0], [x[10:20], 2.0]]
    for q in queue:
        q[1] *= 2
        q[0] = q[0] * q[1]
    print([f"{q[0].sum():.6f} {q[1]}" for q in queue])


main()
