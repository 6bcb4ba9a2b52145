import numpy as np


def main():
    x = np.linspace(0.0, 1.0, 10000)
    layers = [{"w": np.outer(x[:100], x[:100]), "b": np.zeros(100)} for _ in range(3)]
    y = np.ones(100)
    for l in layers:
        y = np.tanh(l["w"] @ y + l["b"])
    print(y.sum())


main()
