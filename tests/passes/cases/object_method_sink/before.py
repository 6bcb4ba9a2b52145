import numpy as np


def log(x: np.ndarray, logger):
    y = np.sqrt(x) * 2.0
    logger.info(y)
    return y
