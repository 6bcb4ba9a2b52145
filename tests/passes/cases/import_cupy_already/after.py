import cupy as xp
from gpuport.runtime import device


def ported(x):
    return xp.sin(x)


@device("x")
def wave(x):
    return xp.sin(x)
