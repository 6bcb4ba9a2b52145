import cupy as cp
from gpuport.runtime import device


@device("a", "b", "weight", require=("a", "b"))
def blend(a, b, weight):
    c = cp.concatenate([a, b])
    return weight * cp.sin(c) + cp.dot(a, b)
