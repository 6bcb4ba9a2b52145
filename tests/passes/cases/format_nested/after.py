import numpy as np
from gpuport.runtime import device, kernel


@kernel("T x", "T result", "result = sin(cos(tan(sqrt(fabs(x)))));")
def _wave(x):
    return np.sin(np.cos(np.tan(np.sqrt(np.abs(x)))))


@device("x", from_size=50_000)
def wave(x):
    return _wave(x)
