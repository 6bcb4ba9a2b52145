import numpy as np

__all__ = ["Number"]

Number = np.float64
