"""Ledgers: recurrences with the coefficient 1 are scans."""

import sys

import cupy as cp
import numpy as np


def balance(flows, start):
    out = cp.empty(len(flows) + 1)
    out[0] = start
    out[1:] = flows
    return out.cumsum()


def growth(rates):
    return (1.0 + rates).cumprod()


def cdf(density):
    c = density.cumsum()
    return c / c[-1]


def queue_length(arrivals, served):
    return (arrivals - served).cumsum()


def main(path):
    rng = np.random.default_rng(15)
    flows = cp.asarray(rng.normal(scale=20.0, size=5000))
    rates = cp.asarray(rng.normal(0.0005, 0.01, size=3000))
    x = cp.linspace(-4, 4, 2001)
    arrivals = cp.asarray(rng.poisson(3, size=4000))
    found = {
        "balance": balance(flows, 100.0),
        "growth": growth(rates),
        "cdf": cdf(cp.exp(-0.5 * x * x)),
        "queue": queue_length(arrivals, 3),
    }
    np.savez(path, **{name: cp.asnumpy(values) for name, values in found.items()})


if __name__ == "__main__":
    main(sys.argv[1])
