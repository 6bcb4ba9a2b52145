import numpy as np


def show(x: np.ndarray):
    y = np.sin(x) + np.cos(x)
    print(y)
    print("total", np.sum(y), y.shape)
    print(f"{y.max():.3f} at most")
