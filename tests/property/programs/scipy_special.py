import sys
import numpy as np
from numpy.typing import NDArray
from scipy.special import erf, gammaln, expit, logsumexp, comb, jv, erfinv, binom
import scipy.special


def cdf(x: NDArray[np.float64], mu, sigma):
    return 0.5 * (1.0 + erf((x - mu) / (sigma * np.sqrt(2.0))))


def logits(x: NDArray[np.float64], w: NDArray[np.float64]):
    z = x @ w
    return expit(z), logsumexp(z, axis=0)


def log_binomial(n: NDArray[np.float64], k: NDArray[np.float64]):
    return gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)


def modes(x: NDArray[np.float64]):
    return jv(2, x) + scipy.special.eval_legendre(3, x)


def small(k: NDArray[np.int16]):
    return erf(k)


def halves(x: NDArray[np.float64]):
    return erfinv(x), comb(10, 3), binom(5.0, x)


def main(path):
    x = np.linspace(-0.9, 0.9, 200)
    p, s = logits(x.reshape(20, 10), x[:10])
    a, b, c = halves(x)
    np.savez(path, cdf=cdf(x, 0.1, 0.4), p=p, s=s, lb=log_binomial(x + 20.0, x + 5.0), m=modes(x),
             q=small(np.arange(-3, 4, dtype=np.int16)), a=a, b=b, c=c)


main(sys.argv[1])
