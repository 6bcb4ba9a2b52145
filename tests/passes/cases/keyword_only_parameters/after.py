import cupy as cp
from gpuport.runtime import device


@device("a", "b", from_size=1_000_000)
def blend(a, /, b, *, weight=0.5, out=None):
    return weight * cp.sin(a) + (1 - weight) * cp.cos(b)
