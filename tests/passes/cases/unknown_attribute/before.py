import numpy as np


class Model:
    def predict(self, x: np.ndarray):
        return np.tanh(x @ self.weights + self.bias)
