import cupy
from gpuport.runtime import device as gpu_device


@gpu_device("cp", "x", from_size=1_000_000)
def copies(cp, x):
    return cupy.sin(x) * cp


@gpu_device("x", from_size=1_000_000)
def device(x):
    return cupy.cos(x)
