import numpy as np
from cupyx.scipy import special as cupyx_special
from gpuport.runtime import device
from scipy import special


@device("n", "k", from_size=30_000)
def log_choose(n: np.ndarray, k: np.ndarray):
    return cupyx_special.gammaln(n + 1) - cupyx_special.gammaln(k + 1) - cupyx_special.gammaln(n - k + 1)


def bessel(x: np.ndarray):
    return np.exp(-x) * special.jv(3, x)
