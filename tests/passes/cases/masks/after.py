import numpy as np
from gpuport.runtime import device, kernel


@kernel(
    "T x, float limit",
    "T result",
    """
    T y = fabs(x);
    y = y > limit ? limit : y;
    result = isnan(y) ? 0.0 : y;
    """,
)
def _clean(x, limit):
    y = np.abs(x)
    y[y > limit] = limit
    return np.where(np.isnan(y), 0.0, y)


@device("x", from_size=100_000)
def clean(x: np.ndarray, limit: float):
    return _clean(x, limit)
