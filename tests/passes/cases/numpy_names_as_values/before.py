import numpy as np


def apply(f, x: np.ndarray):
    g = np.sin if f else np.cos
    return g(x) + np.sqrt(x)


OPERATIONS = {"sin": np.sin, "cos": np.cos}
