import numpy as np


class Model:
    window = np.hanning(64)
    scale = np.sqrt(2.0)

    def __init__(self, x: np.ndarray):
        self.x = x
