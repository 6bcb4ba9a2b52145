"""American and Bermudan puts under Heston dynamics by least-squares Monte Carlo (Longstaff and Schwartz 2001),
with European control variate, early exercise boundary and a binomial check for the constant-volatility case."""
import math
import sys
from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class Market:
    spot: float = 100.0
    rate: float = 0.05
    dividend: float = 0.01


@dataclass(frozen=True)
class Contract:
    name: str
    strike: float
    maturity: float
    every: int = 1            # exercise allowed at every n-th time step


@dataclass
class Heston:
    v0: float = 0.05
    kappa: float = 2.0
    theta: float = 0.045
    xi: float = 0.35
    rho: float = -0.6

    def paths(self, market, maturity, steps, n, rng):
        """Full-truncation Euler with antithetic normals; array of shape (steps + 1, 2 n)."""
        dt = maturity / steps
        x = np.full(2 * n, math.log(market.spot))
        v = np.full(2 * n, self.v0)
        out = np.empty((steps + 1, 2 * n))
        out[0] = market.spot
        for t in range(1, steps + 1):
            z = rng.standard_normal((2, n))
            z1 = np.concatenate([z[0], -z[0]])
            z2 = np.concatenate([z[1], -z[1]])
            zv = self.rho * z1 + math.sqrt(1.0 - self.rho**2) * z2
            vp = np.maximum(v, 0.0)
            root = np.sqrt(vp * dt)
            x = x + (market.rate - market.dividend - 0.5 * vp) * dt + root * z1
            v = v + self.kappa * (self.theta - vp) * dt + self.xi * root * zv
            out[t] = np.exp(x)
        return out


@dataclass
class BlackScholes:
    sigma: float = 0.22

    def paths(self, market, maturity, steps, n, rng):
        dt = maturity / steps
        z = rng.standard_normal((steps, n))
        z = np.concatenate([z, -z], axis=1)
        inc = (market.rate - market.dividend - 0.5 * self.sigma**2) * dt + self.sigma * math.sqrt(dt) * z
        out = np.empty((steps + 1, 2 * n))
        out[0] = market.spot
        out[1:] = market.spot * np.exp(np.cumsum(inc, axis=0))
        return out


class LaguerreBasis:
    """Constant and weighted Laguerre polynomials of the moneyness."""

    def __init__(self, degree=3):
        self.degree = degree

    def __call__(self, m):
        polys = [np.ones_like(m), 1.0 - m]
        for k in range(1, self.degree):
            polys.append(((2 * k + 1 - m) * polys[k] - k * polys[k - 1]) / (k + 1))
        return np.stack([np.ones_like(m)] + [p * np.exp(-0.5 * m) for p in polys[:self.degree]], axis=1)


@dataclass
class Result:
    contract: Contract
    price: float
    error: float
    european: float
    boundary: np.ndarray = field(repr=False)
    exercised: np.ndarray = field(repr=False)


class LongstaffSchwartz:
    def __init__(self, market, basis):
        self.market = market
        self.basis = basis

    def value(self, contract, s):
        steps = s.shape[0] - 1
        disc = math.exp(-self.market.rate * contract.maturity / steps)
        payoff = np.maximum(contract.strike - s, 0.0)
        cash = payoff[-1].copy()
        when = np.where(cash > 0.0, steps, 0)
        boundary = np.full(steps + 1, np.nan)
        boundary[-1] = contract.strike
        for t in range(steps - 1, 0, -1):
            cash *= disc
            if t % contract.every:
                continue
            itm = np.nonzero(payoff[t] > 0.0)[0]
            if itm.size < 50:
                continue
            a = self.basis(s[t, itm] / contract.strike)
            coef = self.regress(a, cash[itm])
            hold = a @ coef
            stop = payoff[t, itm] > hold
            chosen = itm[stop]
            cash[chosen] = payoff[t, chosen]
            when[chosen] = t
            if chosen.size:
                boundary[t] = s[t, chosen].max()
        cash *= disc
        euro = payoff[-1] * disc**steps
        price, error = self.summary(cash)
        exercised = np.bincount(when, minlength=steps + 1)
        return Result(contract, price, error, float(euro.mean()), boundary, exercised)

    @staticmethod
    def regress(a, y):
        """Normal equations with a small ridge; columns are scaled first."""
        scale = np.sqrt((a * a).mean(axis=0))
        b = a / scale
        gram = b.T @ b
        gram[np.diag_indices(len(gram))] += 1e-6 * len(y)
        return np.linalg.solve(gram, b.T @ y) / scale

    @staticmethod
    def summary(cash):
        """Mean and standard error over antithetic pairs."""
        pairs = 0.5 * (cash[:cash.size // 2] + cash[cash.size // 2:])
        return float(pairs.mean()), float(pairs.std(ddof=1) / math.sqrt(pairs.size))


def binomial_put(market, contract, sigma, steps=300):
    """Cox-Ross-Rubinstein tree."""
    dt = contract.maturity / steps
    u = math.exp(sigma * math.sqrt(dt))
    p = (math.exp((market.rate - market.dividend) * dt) - 1.0 / u) / (u - 1.0 / u)
    disc = math.exp(-market.rate * dt)
    j = np.arange(steps + 1)
    value = np.maximum(contract.strike - market.spot * u ** (2.0 * j - steps), 0.0)
    for n in range(steps - 1, -1, -1):
        s = market.spot * u ** (2.0 * j[:n + 1] - n)
        value = np.maximum(disc * (p * value[1:] + (1.0 - p) * value[:-1]), contract.strike - s)
    return float(value[0])


def main():
    market = Market()
    engine = LongstaffSchwartz(market, LaguerreBasis(3))
    rng = np.random.default_rng(2001)
    book = [Contract("monthly put", 105.0, 1.0, every=4), Contract("daily put", 100.0, 1.0),
            Contract("deep put", 120.0, 1.0, every=2)]

    flat = BlackScholes()
    s = flat.paths(market, 1.0, 48, 15000, rng)
    check = engine.value(book[1], s)
    tree = binomial_put(market, book[1], flat.sigma)
    print(f"constant volatility: {check.price:.4f} +- {check.error:.4f}, tree {tree:.4f}")

    s = Heston().paths(market, 1.0, 48, 15000, rng)
    results = [engine.value(c, s) for c in book]
    for r in results:
        print(f"{r.contract.name:12s} {r.price:.4f} +- {r.error:.4f}, premium {r.price - r.european:.4f}, "
              f"exercised early {r.exercised[1:-1].sum()}")
    np.savez(sys.argv[1], prices=np.array([[r.price, r.error, r.european] for r in results + [check]]),
             boundary=np.stack([r.boundary for r in results]), tree=np.array(tree),
             exercised=np.stack([r.exercised for r in results]))


if __name__ == "__main__":
    main()
