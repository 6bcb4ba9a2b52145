import cupy as cp
from gpuport.runtime import device


@device("x", "y")
def wave(x, y):
    return cp.concatenate(
        [
            cp.sin(  # first
                x
            ),
            cp.cos(
                y,
            ),
        ],
        axis=0,
    )
