import numpy as np

ELLIPSES = np.array([[1.0, 0.69, 0.92], [-0.8, 0.6624, 0.874], [0.1, 0.21, 0.25]])
LEVELS = np.linspace(0.2, 1.0, 40)
