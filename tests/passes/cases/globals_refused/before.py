import numpy as np

state = 0


def count(x: np.ndarray):
    global state
    state += 1
    return np.sin(x) * state
