import numpy as np

SCALE = 2.0
COUNT = 3


def setup():
    global SCALE, COUNT
    SCALE = 3.5
    COUNT = 5


def work(x: np.ndarray):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = x[i] * SCALE + COUNT
    return out + np.arange(COUNT).sum() * SCALE


if __name__ == "__main__":
    x = np.linspace(0, 1, 6)
    print(work(x))
    setup()
    print(work(x))
