"""Ledgers: running balances, compounding, cumulative distributions."""

import sys

import numpy as np


def balance(flows, start):
    """Account balance after every movement."""
    out = np.empty(len(flows) + 1)
    out[0] = start
    for i in range(1, len(out)):
        out[i] = out[i - 1] + flows[i - 1]
    return out


def growth(rates):
    """Value of one unit compounded period by period."""
    value = np.ones_like(rates)
    factor = 1.0
    for i in range(rates.shape[0]):
        factor *= 1.0 + rates[i]
        value[i] = factor
    return value


def cdf(density):
    """Cumulative distribution of an unnormalised density."""
    c = np.zeros(density.size)
    running = 0.0
    for i, d in enumerate(density):
        running += d
        c[i] = running
    return c / running


def queue_length(arrivals, served):
    """Integer running total, exact."""
    q = np.zeros(len(arrivals), dtype=np.int64)
    q[0] = arrivals[0] - served
    for i in range(1, len(arrivals)):
        q[i] = q[i - 1] + (arrivals[i] - served)
    return q


def main(path):
    rng = np.random.default_rng(15)
    flows = rng.normal(scale=20.0, size=5000)
    rates = rng.normal(0.0005, 0.01, size=3000)
    x = np.linspace(-4, 4, 2001)
    arrivals = rng.poisson(3, size=4000)
    np.savez(
        path,
        balance=balance(flows, 100.0),
        growth=growth(rates),
        cdf=cdf(np.exp(-0.5 * x * x)),
        queue=queue_length(arrivals, 3),
    )


if __name__ == "__main__":
    main(sys.argv[1])
