import numpy as np


def wave(x, y):
    return np.concatenate(
        [
            np.sin(  # first
                x
            ),
            np.cos(
                y,
            ),
        ],
        axis=0,
    )
