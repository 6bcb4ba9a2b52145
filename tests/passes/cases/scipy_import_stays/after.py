import numpy as np
from gpuport.runtime import device, kernel
from scipy import special


@kernel(
    "T n, T k",
    "T result",
    """
    result = log_gamma(n + 1) - log_gamma(k + 1) - log_gamma(n - k + 1);
    """,
    preamble="""
    template <class T> __device__ T log_gamma(T a) { return a < 0 && isinf(a) ? a : lgamma(a); }
    """,
)
def _log_choose(n, k):
    return special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)


@device("n", "k", from_size=4_000)
def log_choose(n: np.ndarray, k: np.ndarray):
    return _log_choose(n, k)


def bessel(x: np.ndarray):
    return np.exp(-x) * special.jv(3, x)
