import numpy as np


async def wave(x):
    return np.sin(x)
