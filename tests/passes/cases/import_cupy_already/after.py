import cupy as xp
from gpuport.runtime import device


def ported(x):
    return xp.sin(x)


@device("x", from_size=1_000_000)
def wave(x):
    return xp.sin(x)
