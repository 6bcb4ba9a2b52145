import cupy
from gpuport.runtime import device as gpu_device


@gpu_device("cp", "x")
def copies(cp, x):
    return cupy.sin(x) * cp


@gpu_device("x")
def device(x):
    return cupy.cos(x)
