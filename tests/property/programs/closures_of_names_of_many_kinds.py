import numpy as np


def main():
    y = np.linspace(0.0, 1.0, 4000)
    host = np.linspace(0.0, 1.0, 3).tolist()
    fs = []
    for k in range(3):
        fs.append(lambda v: np.sin(y) * k + v)
        y = np.exp(-y) * k
    z = fs[0](y) + fs[2](y)
    print(f"{z.sum():.8f}")
    y = host
    print(f"{fs[1](1.0).sum():.8f}")
    y = 2.0
    print(f"{fs[1](1.0):.8f}")


main()
