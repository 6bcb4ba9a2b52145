"""Options by Black and Scholes: two fused kernels."""

import math
import sys

import cupy as cp
import numpy as np


def norm_cdf(x):
    a = cp.abs(x)
    k = 1.0 / (1.0 + 0.2316419 * a)
    poly = k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))
    poly = k * (0.319381530 + k * (-0.356563782 + poly))
    tail = cp.exp(-0.5 * a * a) / math.sqrt(2.0 * math.pi) * poly
    return cp.where(x >= 0.0, 1.0 - tail, tail)


@cp.fuse()
def price(spot, strike, years, rate, vol):
    root = vol * cp.sqrt(years)
    d1 = (cp.log(spot / strike) + (rate + 0.5 * vol * vol) * years) / root
    d2 = d1 - root
    discount = cp.exp(-rate * years)
    call = spot * norm_cdf(d1) - strike * discount * norm_cdf(d2)
    put = call - spot + strike * discount
    return call, put


@cp.fuse()
def greeks(spot, strike, years, rate, vol):
    root = vol * cp.sqrt(years)
    d1 = (cp.log(spot / strike) + (rate + 0.5 * vol * vol) * years) / root
    pdf = cp.exp(-0.5 * d1 * d1) / math.sqrt(2.0 * math.pi)
    return norm_cdf(d1), pdf / (spot * root), spot * pdf * cp.sqrt(years)


def main(path):
    rng = np.random.default_rng(73)
    n = 20000
    given = (
        rng.uniform(20.0, 120.0, n),
        rng.uniform(20.0, 120.0, n),
        rng.uniform(0.1, 3.0, n),
        rng.uniform(0.1, 0.6, n),
    )
    spot, strike, years, vol = (cp.asarray(values) for values in given)
    call, put = price(spot, strike, years, 0.02, vol)
    delta, gamma, vega = greeks(spot, strike, years, 0.02, vol)
    found = {
        "call": call, "put": put, "delta": delta, "gamma": gamma, "vega": vega, "book": call.sum(),
    }  # fmt: skip
    np.savez(path, **{name: cp.asnumpy(values) for name, values in found.items()})


if __name__ == "__main__":
    main(sys.argv[1])
