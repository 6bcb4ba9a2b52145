import matplotlib.pyplot as plt
import numpy as np


def show(x: np.ndarray):
    y = np.sin(x) + np.cos(x)
    plt.plot(x, y, label="wave")
    plt.savefig("wave.png")
    return y
