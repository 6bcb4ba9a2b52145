import numpy as np
from gpuport.runtime import device, kernel


@kernel(
    "T a, T b, float weight",
    "T result",
    """
    result = weight * sin(a) + (1 - weight) * cos(b);
    """,
)
def _blend(a, b, weight):
    return weight * np.sin(a) + (1 - weight) * np.cos(b)


@device("a", "b", from_size=1_000_000)
def blend(a, /, b, *, weight=0.5, out=None):
    return _blend(a, b, weight)
