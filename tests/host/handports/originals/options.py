"""European options by Black and Scholes, whole arrays at a time."""

import sys

import numpy as np


def norm_cdf(x):
    """Normal distribution function by the five-term polynomial of Abramowitz and Stegun."""
    a = np.abs(x)
    k = 1.0 / (1.0 + 0.2316419 * a)
    poly = k * (
        0.319381530 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)))
    )
    tail = np.exp(-0.5 * a * a) / np.sqrt(2.0 * np.pi) * poly
    return np.where(x >= 0.0, 1.0 - tail, tail)


def price(spot, strike, years, rate, vol):
    """Call and put prices."""
    root = vol * np.sqrt(years)
    d1 = (np.log(spot / strike) + (rate + 0.5 * vol * vol) * years) / root
    d2 = d1 - root
    discount = np.exp(-rate * years)
    call = spot * norm_cdf(d1) - strike * discount * norm_cdf(d2)
    put = call - spot + strike * discount
    return call, put


def greeks(spot, strike, years, rate, vol):
    """Delta, gamma and vega of the call."""
    root = vol * np.sqrt(years)
    d1 = (np.log(spot / strike) + (rate + 0.5 * vol**2) * years) / root
    pdf = np.exp(-0.5 * d1**2) / np.sqrt(2.0 * np.pi)
    delta = norm_cdf(d1)
    gamma = pdf / (spot * root)
    vega = spot * pdf * np.sqrt(years)
    return delta, gamma, vega


def main(path):
    rng = np.random.default_rng(73)
    n = 20000
    spot = rng.uniform(20.0, 120.0, n)
    strike = rng.uniform(20.0, 120.0, n)
    years = rng.uniform(0.1, 3.0, n)
    vol = rng.uniform(0.1, 0.6, n)
    call, put = price(spot, strike, years, 0.02, vol)
    delta, gamma, vega = greeks(spot, strike, years, 0.02, vol)
    np.savez(path, call=call, put=put, delta=delta, gamma=gamma, vega=vega, book=call.sum())


if __name__ == "__main__":
    main(sys.argv[1])
